import { expect, test } from 'vitest';
import { maskTicket } from '../../../core/tickets/mask-ticket.ts';

test.each([
  ['Mail ann.b@shop.example or +49 (0)30 123 456-78.', 'Mail [email] or [phone].'],
  ['My card is 4111 1111 1111 1111.', 'My card is [card].'],
  [
    'Dear Greta, Greta’s box came on 2026-03-02 10:00 and cost 1.299,00 €.',
    'Dear [name], [name]’s box came on 2026-03-02 10:00 and cost 1.299,00 €.',
  ],
  ['We are great, gretaville is not a name.', 'We are great, gretaville is not a name.'],
  ['Order 12345 in 30 days.', 'Order 12345 in 30 days.'],
])('masks %j', (text, masked) => {
  expect(maskTicket(text, ['Greta Meyer', 'de', 'a|b'])).toBe(masked);
});
