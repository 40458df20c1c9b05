import { countingIn } from '../../counting.ts';

const { plural, number } = countingIn('en');

export const answerSettings = {
  tiers: {
    title: 'How sure an answer has to be',
    text: 'Without a language model. Beside each limit stands what it would have meant for the answers of the last 30 days.',
    answer: 'Shown as the answer from',
    maybe: 'Shown as unsure from',
    none: 'Below: the text for nothing found',
    share: (percent: number) => `${percent} % of answers`,
    order: 'At most the value above. The same value: no answer is marked as unsure.',
    counted: 'Counted from the stored answers that quote your documents, or found nothing.',
    empty: 'No answers in the last 30 days. Once visitors ask, the shares stand here.',
  },
  correction: {
    title: 'Are answers as sure as they say?',
    offer: (judged: number, called: number, helped: number) =>
      `From ${plural(judged, { one: '# judged answer', other: '# judged answers' })} of the last 90 days: of answers called ${called} % sure, ${helped} % helped. Use this correction?`,
    explained:
      'Visitors judge with a rating, with “That helped”, or by asking for a person. A correction changes how sure the next answers are, and so which limit above they reach.',
    table: 'How sure answers were, and how many helped',
    range: 'Sure',
    percents: (from: number, to: number) => `${from}–${to} %`,
    percent: (value: number) => `${value} %`,
    answers: 'Answers',
    before: 'Now',
    after: 'Corrected',
    helped: 'Helped',
    afterHint: 'On answers that the correction was not fitted to.',
    moves: (moved: number, all: number) =>
      moved === 0
        ? 'No answer of the last 30 days would have been shown differently.'
        : `${number(moved)} of ${plural(all, { one: '# answer', other: '# answers' })} of the last 30 days would have been shown differently:`,
    move: (count: number, from: 'answer' | 'maybe' | 'none', to: 'answer' | 'maybe' | 'none') => {
      const names = { answer: 'as the answer', maybe: 'as unsure', none: 'as nothing found' };
      return `${number(count)} ${names[to]} instead of ${names[from]}`;
    },
    use: 'Use',
    decline: 'Not now',
    inUse: (date: string, judged: number) =>
      `A correction has been in use since ${date}, from ${plural(judged, { one: '# judged answer', other: '# judged answers' })}.`,
    remove: 'Take it back',
  },
  fallback: {
    title: 'Text when nothing is found',
    text: 'Visitors get it in place of an answer. Each language can have its own.',
    language: 'Language',
    all: 'All languages',
    own: (name: string) => `${name} · own text`,
    counts: (count: number) =>
      count === 0
        ? 'No language has a text of its own.'
        : plural(count, {
            one: '# language has a text of its own.',
            other: '# languages have texts of their own.',
          }),
    label: (name: string) => `Text: ${name}`,
    inherited: 'Empty: visitors read the text below.',
    replaced: 'Replaces the usual text.',
    reset: 'Use the usual text',
    preview: 'As visitors see it',
  },
  disclosure: {
    title: 'Sentence that a machine answers',
    text: 'Visitors read or hear it before the first answer. Each language can have its own.',
    language: 'Language of the sentence',
    all: 'All languages',
    own: (name: string) => `${name} · own sentence`,
    counts: (count: number) =>
      count === 0
        ? 'No language has a sentence of its own.'
        : plural(count, {
            one: '# language has a sentence of its own.',
            other: '# languages have sentences of their own.',
          }),
    label: (name: string) => `Sentence: ${name}`,
    inherited: 'Empty: visitors read the sentence below.',
    replaced: 'Replaces the usual sentence.',
    reset: 'Use the usual sentence',
    preview: 'At the start of a conversation',
  },
};
