import { countingIn } from '../../counting.ts';

const { plural, number } = countingIn('en');

const percent = (share: number) => `${number(Math.round(share * 100))} %`;

/** Tickets of another help desk, answered on trial. */
export const tickets = {
  percent,
  count: number,
  upload: 'Upload an export',
  uploadHint:
    'A mailbox (mbox), or a JSON export of Zendesk, Intercom or Chatwoot, at most 100 MB. The format is found by itself.',
  uploading: (share: number) => `Uploading, ${percent(share)}`,
  tooLarge: 'The file is larger than 100 MB. Export a shorter time.',
  quoted: 'Quote documents, without a model',
  nothingSent: 'Nothing of it is sent',
  notLoaded: 'The imports did not load',
  empty: {
    title: 'What would Parley have answered last year?',
    text: 'Upload the tickets of your help desk. Each first question is answered with today’s documents and compared with what your agent wrote. Nothing is sent or counted, and texts are stored without names, addresses and numbers of people.',
  },
  imports: 'Imports',
  formats: {
    mbox: 'Mailbox',
    zendesk: 'Zendesk export',
    intercom: 'Intercom export',
    chatwoot: 'Chatwoot export',
  },
  unknownFormat: 'Export',
  states: {
    uploading: 'Uploading',
    reading: 'Reading',
    answering: 'Answering',
    finished: 'Done',
    cancelled: 'Cancelled',
    failed: 'Failed',
  },
  reading: (tickets: number) =>
    `Reading the file, ${plural(tickets, { one: '# ticket', other: '# tickets' })} so far`,
  answering: (done: number, all: number) => `Answering, ${number(done)} of ${number(all)}`,
  failures: {
    unknown_format:
      'This is no export that can be read. Take a mailbox (mbox), or JSON of Zendesk, Intercom or Chatwoot.',
    no_tickets: 'The file holds no ticket with a question of a customer and a reply of an agent.',
  },
  cancel: 'Cancel the import',
  delete: 'Delete the import',
  deleteTitle: 'Delete this import?',
  deleteText: 'Its tickets, answers and judgements are deleted at once.',
  deleteNow: 'Delete',
  keep: 'Keep it',
  head: (questions: number) =>
    `What today’s documents would have done with ${plural(questions, { one: '# first question', other: '# first questions' })}`,
  facts: (format: string, file: string) => `${format}, ${file}, names and numbers masked`,
  wouldAnswer: 'would have been answered',
  wouldHandOver: 'would have gone to a person',
  verdicts: {
    agrees: 'Answered, agrees',
    differs: 'Answered, differs',
    maybe: 'Unsure, section shown',
    none: 'No document',
    no_question: 'Not a question',
    error: 'Failed',
  },
  verdictHints: {
    agrees: 'with what the agent wrote',
    differs: 'from what the agent wrote',
    maybe: '“this may be it”',
    none: 'nothing near enough',
    no_question: 'small talk',
    error: 'tried without success',
  },
  verdict: 'Verdict',
  byRule: 'Whether an answer agrees is judged by rule, which errs.',
  judgeToCorrect: (size: number, least: number) =>
    `Judge ${number(Math.min(size, least))} or more of a sample of ${number(size)} drawn by chance, and the report tells the right number.`,
  byHand: (byRule: string, judged: number, low: string, high: string) =>
    `By rule, ${byRule} agree. ${plural(judged, { one: '# was', other: '# were' })} judged by hand: ${low} to ${high} of the questions would have been answered rightly.`,
  byHandWrong: (right: number, judged: number) =>
    judged === 0 ? '' : `Of ${number(judged)} that differ, ${number(right)} were right all the same.`,
  ofAnswered: (low: string, high: string) => `That is ${low} to ${high} of those answered.`,
  judge: (left: number) => `Judge ${number(left)}`,
  judgeTitle: 'Is the answer right?',
  judged: (done: number, size: number) => `${number(done)} of ${number(size)} judged`,
  allJudged: 'The whole sample is judged.',
  endJudging: 'End judging',
  judgements: {
    right: 'Right',
    agent_wrong: 'Right, the agent was wrong',
    wrong: 'Wrong',
    unclear: 'Cannot tell',
  },
  undone: (judgement: string) => `Judged: ${judgement}`,
  asked: 'The customer asked',
  agentWrote: 'The agent wrote',
  wouldSay: 'Parley would have said',
  rested: (title: string) => `From ${title}`,
  nothingSaid: 'Nothing: a person would have answered.',
  askNow: 'Ask now',
  noMatch: 'No ticket has this verdict.',
  more: 'More tickets',
  leftOut: (count: number) =>
    plural(count, { one: '# record was left out', other: '# records were left out' }),
  reasons: {
    unreadable: 'not what the format says',
    too_large: 'too large',
    automatic: 'begun by a machine',
    outbound: 'begun by an agent',
    no_question: 'without a text of a customer',
    no_reply: 'without a reply of an agent',
    duplicate: 'there twice',
    too_many: 'beyond 10,000 tickets',
  },
  examples: 'The first of them',
  record: (record: number, reason: string) => `Record ${number(record)}: ${reason}`,
};
