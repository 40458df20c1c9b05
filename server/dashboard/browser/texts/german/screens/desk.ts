import type { desk as english } from '../../english/screens/desk.ts';

export const desk: typeof english = {
  showing: (words) => `Ergebnisse für „${words}“.`,
  searchOnly: (words) => `Nur nach „${words}“ suchen`,
  endingsLabel: 'Nach der Antwort',
  chosen: 'Ausgewählt',
  endings: {
    'resolve-next': { short: 'Senden, weiter', name: 'Lösen und die nächste öffnen' },
    next: { short: 'Senden, weiter', name: 'Offen lassen und die nächste öffnen' },
    resolve: { short: 'Senden, lösen', name: 'Lösen und hier bleiben' },
  },
  sent: (name) => `Antwort an ${name} ist unterwegs`,
  sentAndResolved: (name) => `Antwort an ${name} ist unterwegs, damit gelöst`,
  ended: 'Das war die letzte',
  endedText: 'Keine weitere Unterhaltung dieser Liste wartet auf Sie.',
};
