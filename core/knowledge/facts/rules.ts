import { defineRules } from '../../base/rules.ts';

/** The numbers that decide which facts contradict each other. Vary one with `npm run eval -- facts --rule facts.NAME=VALUE`. */
export const factRules = defineRules('facts', {
  nearCosine: {
    value: 0.55,
    because: 'Units of a lower cosine are about different things, whatever words they share.',
  },
  sharedShare: {
    value: 0.6,
    because:
      'The share of the words of two subjects that the other one has too, from which on they are the same.',
  },
  unreadShare: {
    value: 0.75,
    because: 'The same share for units without vectors, where the words alone tell that two are the same.',
  },
  units: {
    value: 80,
    because: 'The number of sentences, items and rows of a changed document that are compared.',
  },
  passages: { value: 200, because: 'The number of passages of a changed document whose facts are read.' },
  conflicts: { value: 50, because: 'More of one document are one mistake, and nobody reads them.' },
  vectorWeight: {
    value: 0.6,
    because: 'The share of the cosine in the choice of neighbours, as in the search for English questions.',
  },
  sameForm: {
    value: 0.7,
    because: 'Sentences that share this much of their words, but not of their subject, are of a series.',
  },
});
