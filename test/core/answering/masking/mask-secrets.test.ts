import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isCardNumber, isIban, maskSecrets } from '../../../../core/answering/masking.ts';

const digit = fc.integer({ min: 0, max: 9 }).map(String);
const digits = (least: number, most: number) =>
  fc.array(digit, { minLength: least, maxLength: most }).map((each) => each.join(''));

const cards = digits(11, 17).map((body) => {
  const begun = `4${body}`;
  const last = '0123456789'.split('').find((check) => isCardNumber(begun + check));
  return `${begun}${last}`;
});
const ibans = digits(14, 26).map((body) => {
  const checks = Array.from({ length: 97 }, (_, check) => String(check + 2).padStart(2, '0'));
  const right = checks.find((check) => isIban(`DE${check}${body}`));
  return `DE${right}${body}`;
});
const inGroups = (text: string, sign: string) => text.match(/.{1,4}/gu)?.join(sign) ?? '';
const signs = fc.constantFrom('', ' ', '-');

test('masks every card number, however it is grouped', () => {
  fc.assert(
    fc.property(cards, signs, (card, sign) => {
      expect(maskSecrets(`My card ${inGroups(card, sign)}, please.`)).toBe('My card [card], please.');
    }),
  );
});

test('does not mask a number that fails the check', () => {
  fc.assert(
    fc.property(cards, (card) => {
      const wrong = card.slice(0, -1) + ((Number(card.at(-1)) + 1) % 10);
      expect(maskSecrets(`Order ${wrong}.`)).toBe(`Order ${wrong}.`);
    }),
  );
});

test('masks every IBAN, however it is grouped, and keeps the words after it', () => {
  fc.assert(
    fc.property(ibans, fc.constantFrom('', ' '), (iban, sign) => {
      expect(maskSecrets(`Pay to ${inGroups(iban, sign)} today.`)).toBe('Pay to [iban] today.');
    }),
  );
});

test('masks a card number despite digits before and after it', () => {
  const more = fc.constantFrom('', '12/27', '12 27 123', '(3 digits: 123)');
  fc.assert(
    fc.property(cards, signs, more, (card, sign, after) => {
      const masked = maskSecrets(`Item 7 ${inGroups(card, sign)} ${after}`);
      expect(masked.replace(/\D/gu, '').length).toBeLessThanOrEqual(`7${after}`.replace(/\D/gu, '').length);
    }),
  );
});

test('leaves masked text unchanged', () => {
  fc.assert(
    fc.property(fc.string(), fc.oneof(cards, ibans, fc.constant('password: x')), (text, secret) => {
      const masked = maskSecrets(`${text} ${secret} ${text}`);
      expect(maskSecrets(masked)).toBe(masked);
    }),
  );
});

describe('keys and passwords', () => {
  test.each([
    ['My password: hunter2 fails', 'My password: [secret] fails'],
    ['Mein Passwort ist: geheim!', 'Mein Passwort ist: [secret]'],
    ['Mi contraseña: "dos palabras" no va', 'Mi contraseña: [secret] no va'],
    ['Mon mot de passe : ouvre-toi', 'Mon mot de passe : [secret]'],
    ['api_key=abc', 'api_key=[secret]'],
    ['I use sk-proj-abcdefghijklmnopqrst here', 'I use [secret] here'],
    ['AKIAIOSFODNN7EXAMPLE', '[secret]'],
    ['It says ghp_16C7e42F292c6912E7710c838347Ae178B4a', 'It says [secret]'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc', '[secret]'],
    ['Authorization: Bearer 0123456789abcdef', 'Authorization: Bearer [secret]'],
    ['token: Bearer abcdefghijklmnopqrstuvwxyz', 'token: [secret] [secret]'],
    ['my password is hunter2, why?', 'my password is [secret] why?'],
    ['{"password": "hunter 2", "user": "ann"}', '{"password": [secret], "user": "ann"}'],
    ['DB_PASSWORD=hunter2', 'DB_PASSWORD=[secret]'],
    ['postgres://ann:hunter2@db.example/shop', 'postgres://[secret]@db.example/shop'],
    ['The hash 0123456789abcdef0123456789abcdef fails', 'The hash [secret] fails'],
    ['PIN: 4111 1111 1111 1111', 'PIN: [secret]'],
    [
      'key: \n-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----\nfails',
      'key: \n[secret]\nfails',
    ],
    ['-----BEGIN PRIVATE KEY-----\nMIIE was cut', '[secret]'],
    ['IBAN EU12 DE89 3704 0044 0532 0130 00 please', 'IBAN EU12 [iban] please'],
    ['wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY9001', '[secret]'],
  ])('%s', (text, masked) => {
    expect(maskSecrets(text)).toBe(masked);
  });
});

test.each([
  'How do I change my password?',
  'My order 2024-11-05-0001 of 12 tools for 1,299.00 euros',
  'Call +49 30 1234567 or write to someone.with.a.long.name@acme.example',
  'https://acme.example/help/returns-and-refunds/how-long-does-it-take',
  'My password is wrong! Is the bearer of a voucher entitled to it?',
  'Are skateboarding-equipment-insurances and npm-installations-of-packages-2024 shipped?',
  'https://acme.example/Products/Garden2024/Item-12345-Blue-Large',
  'The spin: 3 rounds, at 1732212345678',
  'Donaudampfschifffahrtsgesellschaftskapitän',
])('leaves other text unchanged: %s', (text) => {
  expect(maskSecrets(text)).toBe(text);
});
