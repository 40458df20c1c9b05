import { countingIn } from '../../counting.ts';
import type { gaps as english } from '../../english/answers/gaps.ts';

const { plural, number } = countingIn('de');

export const gaps: typeof english = {
  states: { open: 'Offen', planned: 'Geplant', done: 'Erledigt', dismissed: 'Verworfen' },
  state: 'Stand',
  kind: 'Art',
  allKinds: 'Alle',
  kinds: { nothing: 'Nichts gefunden', refused: 'Gefunden, aber abgelehnt', person: 'Wollte einen Menschen' },
  order: 'Letzte 90 Tage, häufigste zuerst',
  sorting: (count: number) =>
    plural(count, { one: '# Frage wird einsortiert', other: '# Fragen werden einsortiert' }),
  notLoaded: 'Die Lücken wurden nicht geladen',
  empty: {
    open: 'Keine Lücke ist offen',
    planned: 'Nichts ist geplant',
    done: 'Noch nichts ist erledigt',
    dismissed: 'Nichts wurde verworfen',
  },
  emptyText:
    'Fragen mit geringer Sicherheit, mit Daumen nach unten oder nach denen Besucher einen Menschen wollten, werden hier nach Thema gesammelt.',
  questions: (count: number) => plural(count, { one: '# Frage', other: '# Fragen' }),
  people: (count: number) => plural(count, { one: '# Person', other: '# Personen' }),
  trend: (weeks: readonly number[]) => `Fragen pro Woche, die letzten 13 Wochen: ${weeks.join(', ')}`,
  nearest: 'Am nächsten:',
  noDocument: 'Kein Dokument ist nah.',
  score: (value: number) => number(Math.round(value * 100) / 100),
  replies: (count: number) =>
    count === 0
      ? 'Darauf hat noch niemand geantwortet'
      : plural(count, {
          one: '# Antwort eines Menschen als Vorlage',
          other: '# Antworten von Menschen als Vorlage',
        }),
  dismiss: 'Verwerfen',
  plan: 'Planen',
  reopen: 'Wieder öffnen',
  markDone: 'Als erledigt markieren',
  write: 'Schreiben',
  more: 'Fragen',
  writeFor: (question: string) => `Eine Antwort schreiben für: ${question}`,
  pick: (question: string) => `Auswählen: ${question}`,
  merge: (count: number) => `${number(count)} Lücken zusammenführen`,
  mergeHint: 'Die Fragen kommen zu der Lücke, nach der am häufigsten gefragt wird.',
  clear: 'Auswahl aufheben',
  asking: (asked: number, all: number) => `Wird erneut gefragt: ${number(asked)} von ${number(all)}`,
  answered: (answered: number, all: number) => `${number(answered)} von ${number(all)} jetzt beantwortet`,
  unsure: (count: number) => `${number(count)} unsicher`,
  askAgain: 'Erneut fragen',
  editAnswer: 'Antwort bearbeiten',
  openConversation: 'Unterhaltung öffnen',
  tiers: { answer: 'Jetzt beantwortet', maybe: 'Unsicher', none: 'Keine Antwort' },
  readOnly: 'Sie können die Lücken lesen. Inhaber und Admins können Antworten schreiben.',
  oneGap: 'Lücke',
};
