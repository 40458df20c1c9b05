import { defineRules } from '../base/rules.ts';

/**
 * The numbers that decide which passages are found for a question, in which order, and whether one of them answers. Vary
 * one with `npm run eval -- FOLDER --rule search.NAME=VALUE`. Weights that were fitted together stand with the formula
 * that they belong to, in `ranking/rank-candidates.ts`.
 */
export const searchRules = defineRules('search', {
  answerThreshold: {
    value: 0.5,
    because:
      'A score is the calibrated probability that a passage answers: from here on it more likely does than not.',
  },
  highThreshold: {
    value: 0.8,
    because: 'From this probability of an answer on, confidence is high instead of medium.',
  },
  relatedThreshold: {
    value: 0.2,
    because: 'A passage is shown as related from here on, even if it does not answer the question.',
  },
  englishVectorWeight: {
    value: 0.6,
    because: 'The built-in model reads English: share of the cosine in the choice of candidates.',
  },
  latinVectorWeight: {
    value: 0.12,
    because:
      'In other languages in Latin script the built-in model recognises names and loanwords. At .6 it crowds the right passage out of the forty candidates as a workspace grows.',
  },
  fewWords: {
    value: 3,
    because: 'Up to this many words the detected language is a guess, so every token kind is searched.',
  },
  lengthDamping: {
    value: 0.75,
    because: 'Long words have many tokens and carry more meaning than short ones, but not in proportion.',
  },
  correctedStrength: { value: 0.9, because: 'A word whose spelling was corrected counts slightly less.' },
  placedShare: {
    value: 0.6,
    because: 'Above this share of its grams, a word gets the position of its first gram.',
  },
  pairDistance: {
    value: 3,
    because:
      'Largest distance in words at which two neighbouring words of the question still count as a pair.',
  },
  loosePairCloseness: { value: 0.7, because: 'What a pair counts whose words are not side by side.' },
  cosinePower: {
    value: 1.5,
    because: 'Cosines of unrelated texts are above 0: the power reduces the influence of small ones.',
  },
  headingFit: {
    value: 0.04,
    because:
      'Bonus of a passage under a heading with exactly the words of the question: "Opening hours" comes before a page that mentions them. Over FAQs and a handbook, .04 puts as many right passages first as no bonus, or more; .1 loses some of the best five.',
  },
  aboutAsNear: {
    value: 0.1,
    because:
      'How much further from the question in meaning than the nearest passage one may be. Beyond it, a passage that shares words is about something else: "How do I fit a new lamp myself?" and a price list with "New lamp, fitted".',
  },
  nearUnit: {
    value: 0.57,
    because:
      'From this cosine on, a unit that holds the kind of thing that is asked for answers, whatever its words: "How long do unused pods stay good?" and "Sealed pods keep for 18 months". Of 235 questions that the development sets cannot answer, it answers none; from .55 on, one.',
  },
  nearPassages: { value: 5, because: 'The number of best passages that may answer in other words.' },
  rerankedPassages: {
    value: 20,
    because:
      'The number of best passages that a reranker puts in order. The others follow in their own order.',
  },
  readerPassages: {
    value: 8,
    because: 'The number of best passages that the reader reads. Twenty put no more right ones first.',
  },
  readerPassagesUnderLoad: {
    value: 5,
    because:
      'The same while other texts wait for a thread. It costs 3.5 points of first places on questions that share hardly a word with their answer, and none on the others.',
  },
  readerDeadlineMs: {
    value: 400,
    because:
      'A search waits this long for the reader. Eight full passages take 200 to 290 ms on two busy cores; a visitor notices a second.',
  },
  readerFrom: {
    value: 0.08,
    because: 'Below this score of the best passage, the documents hold no answer that a reader could find.',
  },
  readerBelow: { value: 0.8, because: 'From this score on, the answer is clear without reading.' },
  noCue: {
    value: 0.5,
    because: 'A question that does not tell what kind of thing it asks for fits every sentence half.',
  },
  noPlace: { value: 0.3, because: 'What a sentence without a place counts for a question that asks where.' },
});
