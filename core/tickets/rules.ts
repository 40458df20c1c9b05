import { defineRules } from '../base/rules.ts';

/** The rules by which an answer is compared with an agent's reply. */
export const ticketRules = defineRules('tickets', {
  likeness: { value: 0.75, because: 'to be measured' },
  wordWeight: { value: 0.5, because: 'to be measured' },
  sharedWords: { value: 0.5, because: 'to be measured' },
});
