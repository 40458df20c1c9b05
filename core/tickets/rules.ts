import { defineRules } from '../base/rules.ts';

/**
 * The rules by which an answer is compared with an agent's reply. They were chosen by hand and not fitted: the judgements of
 * people correct the report.
 */
export const ticketRules = defineRules('tickets', {
  likeness: {
    value: 0.75,
    because:
      'Replies in other words have a cosine of .6 and a third of the words in common; texts of one page .4 and .2.',
  },
  wordWeight: {
    value: 0.5,
    because: 'A long quotation has a low cosine with a short reply, but most of its words.',
  },
  sharedWords: { value: 0.5, because: 'Without a model, half of the words of the shorter text.' },
});
