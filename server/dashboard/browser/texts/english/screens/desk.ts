/** The words that a search of the inbox looked for. */
export const desk = {
  showing: (words: string) => `Showing results for “${words}”.`,
  searchOnly: (words: string) => `Search for “${words}” only`,
};
