import { countingIn } from '../../counting.ts';
import type { proposals as english } from '../../english/screens/proposals.ts';

const { plural, number } = countingIn('de');

export const proposals: typeof english = {
  open: 'Aus echten Fragen',
  title: 'Aus echten Fragen',
  hint: 'Was Besucher in den letzten 90 Tagen gefragt haben, verteilt auf Themen und Ergebnisse. Namen, Adressen und Nummern sind verdeckt. Nur was Sie entscheiden, wird zur Prüffrage.',
  count: 'Wie viele',
  others: 'Andere Fragen',
  close: 'Schließen',
  done: (decided: number, all: number) => `${number(decided)} von ${number(all)} entschieden`,
  allDone: (added: number) =>
    plural(added, {
      one: 'Alle entschieden: # Prüffrage mehr.',
      other: 'Alle entschieden: # Prüffragen mehr.',
    }),
  searching: 'Sieht durch, was Besucher gefragt haben',
  notLoaded: 'Die Fragen sind nicht angekommen',
  empty: {
    title: 'Nichts Neues vorzuschlagen',
    text: 'In den letzten 90 Tagen haben Besucher nichts gefragt, was nicht schon Prüffrage oder entschieden ist. Plauderei, feste Antworten und Fragen aus Ihrem Team zählen nicht.',
  },
  outcomes: {
    answered: 'Beantwortet',
    unsure: 'Unsicher',
    unanswered: 'Keine Antwort',
    disliked: 'Daumen runter',
  },
  was: 'Gesagt wurde',
  from: 'Aus',
  noSource: 'Kein Dokument',
  ratings: { up: 'Dem Besucher hat es geholfen', down: 'Dem Besucher hat es nicht geholfen' },
  audience: (names: string) => `Gefragt als ${names}`,
  openConversation: 'Gespräch öffnen',
  decisions: { right: 'Richtig', nothing: 'Sollte nicht beantwortet werden', skip: 'Überspringen' },
  decided: {
    right: 'Prüffrage: Dieses Dokument wird erwartet',
    nothing: 'Prüffrage: Erwartet wird keine Antwort',
    skip: 'Übersprungen',
  },
  noDocument: 'Die Antwort beruht auf keinem Dokument, das noch da ist; erwartet werden kann also keines.',
  keys: {
    right: 'Vorschlag: richtig',
    nothing: 'Vorschlag: sollte nicht beantwortet werden',
    skip: 'Vorschlag: überspringen',
    next: 'Nächster Vorschlag',
    previous: 'Voriger Vorschlag',
  },
};
