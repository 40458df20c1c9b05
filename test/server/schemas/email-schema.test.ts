import { expect, test } from 'vitest';
import { emailSchema } from '../../../server/schemas/fields.ts';

test.each([
  'ada@shop.example',
  'ada.lovelace+orders@shop.example',
  "o'brien!#$%&*/=?^_`{|}~@shop.example",
  'łukasz@poczta.przykład',
  ' ada@shop.example ',
])('accepts %j', (text) => {
  expect(emailSchema.parse(text)).toBe(text.trim());
});

test.each([
  'a,b@c.example',
  'a;b@c.example',
  'Ada <ada@shop.example>',
  '<ada@shop.example>',
  'ada@shop.example,eve@thief.example',
  'ada@[127.0.0.1]',
  '"ada"@shop.example',
  'ada(comment)@shop.example',
  'group:ada@shop.example',
  'a\\b@c.example',
  'ada@@shop.example',
  'ada@shop.example\nBcc: eve@thief.example',
  'ada',
  '@shop.example',
  'ada@',
])('rejects %j', (text) => {
  expect(emailSchema.safeParse(text).success).toBe(false);
});
