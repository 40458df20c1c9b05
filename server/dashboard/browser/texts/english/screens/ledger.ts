import { countingIn } from '../../counting.ts';

const { plural, number } = countingIn('en');

const span = (minutes: number): string => {
  if (minutes < 60) return plural(minutes, { one: '# minute', other: '# minutes' });
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return plural(hours, { one: '# hour', other: '# hours' });
  return plural(Math.floor(hours / 24), { one: '# day', other: '# days' });
};

/** The ledger of a page: what was fetched, what was kept and why, and which answers used it. */
export const ledger = {
  title: 'What was kept of a page',
  open: (title: string) => `See what was kept of ${title}`,
  openDocument: 'Open the document',
  readAgain: 'Read this page again',
  reading: 'The page is being read again.',
  refused: {
    unknown_item: 'The page does not belong to this source any more.',
    excluded: 'A pattern of the source excludes the page.',
    deleted_by_hand: 'Somebody deleted its document, so the page is not read.',
    too_many_items: 'The source has as many pages as its limit allows.',
  },
  openPage: 'Open the page in a new tab',
  columns: { seen: 'As the visitor sees it', kept: 'As kept', answers: 'Answers that used it' },
  keptNote: (passages: number, cut: number) =>
    `${plural(passages, { one: '# passage', other: '# passages' })}, ${plural(cut, { one: '# part cut', other: '# parts cut' })}`,
  answersNote: (count: number) => `${number(count)} in 30 days`,
  coverage: (answered: number, listed: number) =>
    `${number(answered)} of ${plural(listed, { one: '# page answers', other: '# pages answer' })}`,
  behindSite: (minutes: number) =>
    minutes === 0
      ? 'Answers are in step with the website'
      : `Answers are ${span(minutes)} behind the website`,
  behindSource: (minutes: number) =>
    minutes === 0 ? 'Answers are in step with the source' : `Answers are ${span(minutes)} behind the source`,
  dates: { fetched: 'Fetched', checked: 'Checked', cut: 'Cut', indexed: 'In answers since' },
  answered: {
    newest: 'Answers use this text.',
    earlier: 'Answers still use the text before.',
    not: 'No answer uses it yet.',
  },
  cuttingSoon: 'The text is being cut again, without reading the page.',
  reasons: {
    menu: 'menu',
    header: 'header of the site',
    footer: 'footer of the site',
    aside: 'side column',
    form: 'form',
    dialog: 'dialog',
    hidden: 'hidden on the page',
    control: 'button or link within the page',
    consent: 'cookie box',
    site_part: 'named as part of the site',
    edit_link: 'link to edit the page',
    outside: 'outside the content',
    template: 'on most pages',
    rule: 'left out by a rule',
  },
  onPages: (having: number, looked: number) => `on ${number(having)} of ${number(looked)} pages`,
  parts: (count: number, reason: string) =>
    `${reason}, ${plural(count, { one: '# part', other: '# parts' })}`,
  actions: { keep: 'Take back', cut: 'Leave out' },
  did: { keep: 'Taken back', cut: 'Left out' },
  where: { this: 'On this page', all: 'On all pages of this source' },
  scopes: { this: 'rule for this page', all: 'rule for all pages' },
  rule: (did: string, by: string, scope: string) => `${did} by ${by}, ${scope}`,
  removeRule: 'Remove the rule',
  decideFor: (action: string, text: string) => `${action}: ${text}`,
  notStored: 'Not stored as a page',
  notStoredText:
    'Parley keeps web pages as they were fetched. Files, articles of tools and very large pages are read whole.',
  noAnswers: 'No answers yet',
  noAnswersText: 'In the last 30 days no answer used this page.',
  noDocument: 'It is no document, so no answer uses it.',
  answersNotYours: 'Your role cannot see the questions of visitors.',
  noQuestion: 'Question not stored',
  confidence: { high: 'High', medium: 'Medium' },
  disliked: 'Thumbs down',
  conversation: 'Conversation',
  openConversation: (question: string) => `Open the conversation of ${question}`,
  rules: {
    title: 'Rules for parts of pages',
    text: 'Parts that people took back or left out. Removing a rule cuts the pages again, without reading them.',
    none: 'No rules. Open a page under “Pages and files” to take a part back or leave one out.',
  },
};
