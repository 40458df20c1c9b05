import { countingIn } from '../../counting.ts';
import type { scripts as english } from '../../english/screens/scripts.ts';

const { plural, number } = countingIn('de');

export const scripts: typeof english = {
  open: 'Kundengespräch schreiben',
  kind: 'Art',
  kinds: { all: 'Alle Arten', question: 'Fragen', script: 'Kundengespräche' },
  size: (turns: number) => plural(turns, { one: '# Nachricht', other: '# Nachrichten' }),
  on: (channel: string) => `auf ${channel}`,
  expects: {
    phrase: (text: string) => `Hat „${text}“`,
    document: 'Beruht auf dem markierten Dokument',
    refuse: 'Gibt keine Antwort',
    person: 'Übergibt an einen Menschen',
    answer: 'Ist sicher',
    maybe: 'Ist mindestens unsicher',
    anything: 'Beliebig',
  },
  customer: 'Kunde',
  noReply: 'Keine Antwort',
  played: 'Das Gespräch des neuesten Laufs',
  planned: 'Das Gespräch, wie es geschrieben ist',
  edit: 'Bearbeiten',
  notFound: 'Nichts dieser Art hat dieses Ergebnis.',
  editor: {
    title: 'Ein Kundengespräch',
    hint: 'Was ein Kunde schreibt, Nachricht für Nachricht, und was für jede Antwort gelten muss. Jeder Lauf fragt der Reihe nach, jede Nachricht mit denen davor als Gedächtnis, zur Probe: Nichts wird gespeichert, gezählt oder gesendet. Nach einer Übergabe antwortet niemand mehr.',
    goal: 'Ziel',
    goalHint: 'Zum Beispiel: schickt eine kaputte Kiste zurück und erfährt, wer zahlt.',
    goalFixed:
      'Ziel und Publikum benennen das Gespräch. Für andere schreiben Sie bitte ein neues Kundengespräch.',
    channel: 'Kanal',
    language: 'Sprache',
    audience: 'Gefragt als',
    turn: (position: number) => `Nachricht ${number(position)}`,
    message: 'Der Kunde schreibt',
    mustHold: 'Was für die Antwort gelten muss',
    phrase: 'Hat diesen Text',
    document: 'Beruht auf',
    anyDocument: 'Beliebiges Dokument',
    tier: 'Sicher',
    tiers: [
      { value: 'any', label: 'Egal wie sicher' },
      { value: 'maybe', label: 'Mindestens unsicher' },
      { value: 'answer', label: 'Sicher' },
    ],
    refuse: 'Gibt keine Antwort',
    person: 'Übergibt an einen Menschen',
    add: 'Nachricht hinzufügen',
    remove: (position: number) => `Nachricht ${number(position)} entfernen`,
    save: 'Speichern',
    cancel: 'Abbrechen',
    missing:
      'Nennen Sie das Ziel, schreiben Sie jede Nachricht und sagen Sie für mindestens eine Antwort, was gelten muss.',
  },
};
