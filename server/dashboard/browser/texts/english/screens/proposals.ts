import { countingIn } from '../../counting.ts';

const { plural, number } = countingIn('en');

/** Test questions that are proposed from what visitors asked. */
export const proposals = {
  open: 'From real questions',
  title: 'From real questions',
  hint: 'Questions of visitors in the last 90 days, spread over topics and outcomes. Names, addresses and numbers are masked. Only what you decide becomes a test question.',
  count: 'How many',
  others: 'Other questions',
  close: 'Close',
  done: (decided: number, all: number) => `${number(decided)} of ${number(all)} decided`,
  allDone: (added: number) =>
    plural(added, {
      one: 'All decided: # test question more.',
      other: 'All decided: # test questions more.',
    }),
  searching: 'Looking through what visitors asked',
  notLoaded: 'The questions did not load',
  empty: {
    title: 'Nothing new to propose',
    text: 'In the last 90 days visitors asked nothing that is not a test question or decided about already. Small talk, canned replies and questions of your own team do not count.',
  },
  outcomes: { answered: 'Answered', unsure: 'Unsure', unanswered: 'No answer', disliked: 'Thumbs down' },
  was: 'Said',
  from: 'From',
  noSource: 'No document',
  ratings: { up: 'The visitor liked it', down: 'The visitor disliked it' },
  audience: (names: string) => `Asked as ${names}`,
  openConversation: 'Open the conversation',
  decisions: { right: 'Right', nothing: 'Should not be answered', skip: 'Skip' },
  decided: {
    right: 'A test question: this document is expected',
    nothing: 'A test question: no answer is expected',
    skip: 'Skipped',
  },
  noDocument: 'The answer rests on no document that is still there, so none can be expected.',
  keys: {
    right: 'Proposal: right',
    nothing: 'Proposal: should not be answered',
    skip: 'Proposal: skip',
    next: 'Next proposal',
    previous: 'Previous proposal',
  },
};
