import { expect, test } from 'vitest';
import { parseField } from '../../../server/cli/channel-options.ts';

test.each([
  ['bot_token=123456:ABC=', { bot_token: '123456:ABC=' }],
  ['from=+4915100000', { from: '+4915100000' }],
  ['pass=12345', { pass: '12345' }],
  ['pass="quoted"', { pass: '"quoted"' }],
  ['pass={curly', { pass: '{curly' }],
  ['note=', { note: '' }],
  ['verify=false', { verify: false }],
  ['mode=null', { mode: null }],
  ['templates=["a","b"]', { templates: ['a', 'b'] }],
  ['port:=993', { port: 993 }],
  ['imap.host=mail.example', { imap: { host: 'mail.example' } }],
  ['imap.auth.user=a.b', { imap: { auth: { user: 'a.b' } } }],
])('parses %s as %j', (given, expected) => {
  expect(parseField(given)).toEqual(expected);
});

test('adds fields to the previous ones, also inside a nested field', () => {
  const given = ['imap.host=mail.example', 'imap.port:=993', 'from=a@b.example', 'from=c@d.example'];
  expect(given.reduce((before, one) => parseField(one, before), {})).toEqual({
    imap: { host: 'mail.example', port: 993 },
    from: 'c@d.example',
  });
});

test.each(['bot_token', '=value', 'port:=many', ''])('rejects %j without repeating it', (given) => {
  expect(() => parseField(given)).toThrow(/Use the form name=value\.|The value is not valid JSON\./);
});
