import type { desk as english } from '../../english/screens/desk.ts';

export const desk: typeof english = {
  showing: (words) => `Ergebnisse für „${words}“.`,
  searchOnly: (words) => `Nur nach „${words}“ suchen`,
};
