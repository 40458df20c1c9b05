import { defineRules } from '../base/rules.ts';

/**
 * The numbers that decide which passages are found for a question, in which order, and whether one of them answers. Vary
 * one with `npm run eval -- FOLDER --rule search.NAME=VALUE`. Weights that were fitted together stand with the formula
 * that they belong to, in `ranking/rank-candidates.ts`.
 */
export const searchRules = defineRules('search', {
  answerThreshold: {
    value: 0.4,
    because:
      'From this probability on, a passage is shown as the answer. A score is calibrated on everyday messages to four companies and on questions to an encyclopaedia, FAQs and a handbook: of answers with .4 to .5, about half are right, and the section around the passage helps in more.',
  },
  maybeThreshold: {
    value: 0.3,
    because:
      'From this probability on, a passage is shown as what may be the answer, and says so. From .25 on, the help of a maker of machines shows as many right sections (.66 of 62 messages with those shown as answers) and twice as many wrong ones (.24 instead of .13).',
  },
  highThreshold: {
    value: 0.7,
    because: 'From this probability of an answer on, confidence is high instead of medium.',
  },
  relatedThreshold: {
    value: 0.1,
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
  nearness: {
    value: 0.2,
    because:
      'What the cosines add to the order, apart from their share in the combined evidence: everyday words of a question are in no passage. Over seven sets, .2 puts as many right passages first as 0, or more (.25 to .27 and .29 to .31 of the hardest); from .3 on, an encyclopaedia loses.',
  },
  headingFit: {
    value: 0.04,
    because:
      'Bonus of a passage under a heading with exactly the words of the question: "Opening hours" comes before a page that mentions them. Over FAQs and a handbook, .04 puts as many right passages first as no bonus, or more; .1 loses some of the best five.',
  },
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
  readerLead: {
    value: 0.5,
    because:
      'The first passage of the search stays first unless the reader puts another one this far ahead. The reader sees no words in common: of passages about the same it moved the one with the words of the question down. With .5 instead of 0, a handbook has .75 instead of .63 right passages first, and the help of a maker of machines, an encyclopaedia and FAQs lose none; from 1 on, everyday messages to two companies lose a tenth.',
  },
  readerFrom: {
    value: 0.08,
    because: 'Below this score of the best passage, the documents hold no answer that a reader could find.',
  },
  readerBelow: { value: 0.8, because: 'From this score on, the answer is clear without reading.' },
});
