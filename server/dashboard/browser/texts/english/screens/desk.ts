/** The words that a search of the inbox looked for, and the ways to send a reply and go on. */
export const desk = {
  showing: (words: string) => `Showing results for “${words}”.`,
  searchOnly: (words: string) => `Search for “${words}” only`,
  endingsLabel: 'After the reply',
  chosen: 'Chosen',
  endings: {
    'resolve-next': { short: 'Send, next', name: 'Resolve and open the next one' },
    next: { short: 'Send, next', name: 'Keep open and open the next one' },
    resolve: { short: 'Send, resolve', name: 'Resolve and stay here' },
  },
  sent: (name: string) => `Reply to ${name} is on its way`,
  sentAndResolved: (name: string) => `Reply to ${name} is on its way, resolved with it`,
  ended: 'That was the last one',
  endedText: 'No other conversation of this list waits for you.',
};
