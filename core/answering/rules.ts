import { defineRules } from '../base/rules.ts';

/**
 * The numbers that decide how a message is understood and what is answered. Vary one with
 * `npm run eval -- FOLDER --rule answer.NAME=VALUE`. Limits of length and time stand where they are applied.
 */
export const answerRules = defineRules('answer', {
  quotedPassages: { value: 5, because: 'Sentences are quoted from the best passages.' },
  readPassages: {
    value: 30,
    because:
      'A model judges the passages itself. Of 110 everyday questions, two have the right passage at the places 21 and 27.',
  },
  readCharacters: {
    value: 6_000,
    because: 'The passages that a model reads together, but at least one: some 1,500 tokens.',
  },
  sources: { value: 5, because: 'The maximum number of sources of an answer, in the contract of the API.' },
  nearMisses: { value: 3, because: 'The maximum number of related pages below a fallback message.' },
  everydayThreshold: {
    value: 0.75,
    because:
      'A question in words that its visitor did not say must fit better. Of the development sets, .75 keeps every right answer that such a reading finds, and none of the wrong ones.',
  },
  withheldScore: {
    value: 0.49,
    because: 'Just below the answer threshold: the passage is still shown as related.',
  },
  everydayPassages: {
    value: 8,
    because: 'The number of best passages in whose words the question is asked again.',
  },
  languageSample: {
    value: 5,
    because: 'The number of passages whose language is taken for that of the documents.',
  },
  ownTopic: {
    value: 4,
    because: 'A question with this many content words is about them, even if it contains a pronoun.',
  },
  newQuestion: { value: 2, because: '"And how do I …?" with this many content words is a new question.' },
  barePhrase: {
    value: 4,
    because: 'Up to this many words, "and for students?" asks the previous question about another case.',
  },
  bareQuestion: { value: 2, because: 'Up to this many words, "which colours?" continues the topic.' },
  ownWords: { value: 2, because: 'A turn with fewer content words continues the topic before it.' },
  topicWords: { value: 6, because: 'More words from earlier turns would outweigh those of the question.' },
  names: { value: 3, because: 'The number of people named in the last answer that "he" or "she" may mean.' },
  parts: { value: 5, because: 'More questions in a message than that are answered with the last one.' },
  partWords: {
    value: 3,
    because: 'With fewer words a question such as "Really?" belongs to the one before it.',
  },
  unspacedPartCharacters: {
    value: 5,
    because: 'In scripts without spaces, characters are counted instead of words.',
  },
  unmarkedCharacters: { value: 160, because: 'A longer line without a question mark is running text.' },
  unmarkedLines: {
    value: 6,
    because: 'A message of more lines is a letter, whose lines are no questions of their own.',
  },
  unknownWords: {
    value: 2,
    because:
      'With this many words that no passage holds, if they outnumber the others, the rest of a sentence is checked before it is shown.',
  },
});

/** The numbers that decide which sentences are quoted. Vary one with `--rule quote.NAME=VALUE`. */
export const quoteRules = defineRules('quote', {
  passages: { value: 5, because: 'The number of best passages in which the answer is looked for.' },
  continuations: {
    value: 4,
    because: 'The number of passages before and after one into which a list may extend.',
  },
  sentences: { value: 3, because: 'The maximum number of quoted sentences.' },
  characters: {
    value: 420,
    because: 'Further sentences are quoted while the answer stays below this length.',
  },
  runningText: {
    value: 0.6,
    because: 'How much lower a further sentence of the same running text may score than the best one.',
  },
  apart: {
    value: 0.25,
    because: 'The same for a sentence of another passage or another item of a list.',
  },
  next: {
    value: 0.1,
    because: 'Bonus of the sentence after the best one, which often continues the answer.',
  },
  continuation: { value: 0.2, because: 'And more if it refers back to it.' },
  exact: {
    value: 0.1,
    because: 'Weight of exact word forms; the covered share of the question has the weight 1.',
  },
  passage: { value: 0.9, because: 'Weight of the passage of a sentence.' },
  meaning: { value: 0.5, because: 'Weight of the cosine of the question and the sentence with its title.' },
  cue: { value: 0.3, because: 'Weight of a thing of the kind that is asked for: an amount, a date, a name.' },
  rowKey: {
    value: 0.15,
    because:
      'Bonus of a row whose first cell the question names, and again if it asks for a price and a column holds prices.',
  },
  step: { value: 0.2, because: 'Penalty of a step where an amount or a time is asked for.' },
  longCharacters: {
    value: 400,
    because: 'Longer sentences are penalised, so that they are chosen only if nothing else is as good.',
  },
  long: { value: 0.2, because: 'Penalty of a long sentence.' },
  heading: { value: 0.5, because: 'Penalty of a sentence that only announces an answer.' },
  lacking: { value: 0.15, because: 'Penalty for each key word that a unit lacks and another unit has.' },
  changelog: { value: 0.8, because: 'Share with which a changelog counts: it rarely answers.' },
  pointers: { value: 0.6, because: 'Share with which a section of pointers to other pages counts.' },
  topicWords: { value: 8, because: 'Up to this many words, a line without a mark at its end is a topic.' },
  labelMatch: { value: 0.5, because: 'From this strength on, a word of the question names a column.' },
  rows: { value: 5, because: 'The number of rows that come along with the best one.' },
  rowApart: {
    value: 0.1,
    because: 'How much lower another row of the same table may score than the matching one.',
  },
  listCharacters: {
    value: 1_200,
    because: 'Maximum length of a list with its lead-in; a longer one is cut.',
  },
  codeCharacters: { value: 1_500, because: 'Maximum length of code with the sentence before it.' },
  exceptionCharacters: { value: 250, because: 'A longer sentence is no exception to the one before it.' },
});
