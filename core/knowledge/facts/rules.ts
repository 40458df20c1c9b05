import { defineRules } from '../../base/rules.ts';

/**
 * The numbers that decide which facts contradict each other. Vary one with `npm run eval -- facts --rule facts.NAME=VALUE`.
 * Measurements are of the 150 contradictions and 300 pairs without one that the rules were tuned on.
 */
export const factRules = defineRules('facts', {
  nearCosine: {
    value: 0.55,
    because:
      'Units of a lower cosine are about different things, whatever words they share. From .35 to .65 the same 138 contradictions are found and nothing else; at .75 15 of them are lost.',
  },
  sharedShare: {
    value: 0.6,
    because:
      'The share of the words of two subjects that the other one has too, from which on they are the same. From .7 on, 4 of 138 contradictions are lost; below .6 nothing is gained.',
  },
  unreadShare: {
    value: 0.75,
    because:
      'The same share for units without vectors, where the words alone tell that two are the same. At .9, 6 contradictions are lost.',
  },
  sameForm: {
    value: 0.7,
    because:
      'Sentences that share this much of their words, but not of their subject, are of a series. At .9, 20 pairs without a contradiction are taken for one; at .5, 2 contradictions are lost.',
  },
  units: {
    value: 80,
    because:
      'The number of sentences, items and rows of a changed document that are compared: in a workspace of 1,000 pages so many take .3 to 2.3 s, the latter on a machine with ten times its load.',
  },
  passages: { value: 200, because: 'The number of passages of a changed document whose facts are read.' },
  conflicts: { value: 50, because: 'More of one document are one mistake, and nobody reads them.' },
  vectorWeight: {
    value: 0.6,
    because: 'The share of the cosine in the choice of neighbours, as in the search for English questions.',
  },
});
