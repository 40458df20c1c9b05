import { expect, test } from 'vitest';
import { z } from 'zod';
import { parseFields } from '../../../core/base/fields.ts';

const schema = z.object({
  bot_token: z.string().regex(/^\d+:/, 'It has a colon.').describe('The token that @BotFather gave.'),
  mode: z.enum(['webhook', 'polling']).default('webhook'),
  smtp: z.object({ port: z.number() }).optional(),
});

test('keeps known fields as given, without defaults', () => {
  const given = { bot_token: '1:a', unknown: 'a secret in the wrong place', smtp: { port: 25, host: 'x' } };
  expect(parseFields('credentials', schema, given)).toEqual({ bot_token: '1:a', smtp: given.smtp });
});

test.each([
  [{}, 'credentials.bot_token is required (The token that @BotFather gave).'],
  [
    { bot_token: 'hunter2' },
    'credentials.bot_token is invalid: It has a colon (The token that @BotFather gave).',
  ],
  [{ bot_token: '1:a', mode: 'hunter2' }, /^credentials\.mode is invalid: .*polling/],
  [{ bot_token: '1:a', smtp: {} }, 'credentials.smtp.port is required.'],
  [{ bot_token: '1:a', smtp: 'hunter2' }, /^credentials\.smtp is invalid/],
])('names the field, and never the value, if it rejects %j', (given, detail) => {
  let fault: unknown;
  try {
    parseFields('credentials', schema, given);
  } catch (error) {
    fault = error;
  }
  expect(fault).toMatchObject({ code: 'invalid_credentials' });
  expect(fault).toMatchObject({
    message: typeof detail === 'string' ? detail : expect.stringMatching(detail),
  });
  expect(String(fault)).not.toContain('hunter2');
});
