import { countingIn } from '../../counting.ts';

const { plural, number } = countingIn('en');

/** The topics that visitors get no answer to. */
export const gaps = {
  states: { open: 'Open', planned: 'Planned', done: 'Done', dismissed: 'Dismissed' },
  state: 'State',
  kind: 'Kind',
  allKinds: 'All',
  kinds: { nothing: 'Nothing found', refused: 'Found, but refused', person: 'Asked for a person' },
  order: 'Last 90 days, most asked first',
  sorting: (count: number) =>
    plural(count, { one: '# question is being sorted', other: '# questions are being sorted' }),
  notLoaded: 'The gaps did not load',
  empty: {
    open: 'No gap is open',
    planned: 'Nothing is planned',
    done: 'Nothing is done yet',
    dismissed: 'Nothing was dismissed',
  },
  emptyText:
    'Questions with low confidence, with a thumbs down, or after which the visitor asked for a person are gathered here, by topic.',
  questions: (count: number) => plural(count, { one: '# question', other: '# questions' }),
  people: (count: number) => plural(count, { one: '# person', other: '# people' }),
  trend: (weeks: readonly number[]) => `Questions by week, the last 13 weeks: ${weeks.join(', ')}`,
  nearest: 'Nearest:',
  noDocument: 'No document is near.',
  score: (value: number) => number(Math.round(value * 100) / 100),
  replies: (count: number) =>
    count === 0
      ? 'Nobody has answered this yet'
      : plural(count, { one: '# agent’s reply to draw on', other: '# agents’ replies to draw on' }),
  dismiss: 'Dismiss',
  plan: 'Plan',
  reopen: 'Open again',
  markDone: 'Mark as done',
  write: 'Write',
  more: 'Questions',
  writeFor: (question: string) => `Write an answer for: ${question}`,
  pick: (question: string) => `Select: ${question}`,
  merge: (count: number) => `Merge ${number(count)} gaps`,
  mergeHint: 'The questions move into the one that is asked most.',
  clear: 'Clear the selection',
  asking: (asked: number, all: number) => `Asking again: ${number(asked)} of ${number(all)}`,
  answered: (answered: number, all: number) => `${number(answered)} of ${number(all)} answered now`,
  unsure: (count: number) => `${number(count)} unsure`,
  askAgain: 'Ask again',
  editAnswer: 'Edit the answer',
  openConversation: 'Open the conversation',
  tiers: { answer: 'Answered now', maybe: 'Unsure', none: 'No answer' },
  readOnly: 'You can read the gaps. An owner or admin can write answers.',
  oneGap: 'Gap',
};
