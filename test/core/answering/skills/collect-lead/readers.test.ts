import { describe, expect, test } from 'vitest';
import { isRefusal } from '../../../../../core/answering/skills/collect-lead/lead-requests.ts';
import { findEmails, findPhones } from '../../../../../core/answering/skills/collect-lead/read-contacts.ts';
import { findName } from '../../../../../core/answering/skills/collect-lead/read-name.ts';
import { processorMs } from '../../../../helpers/processor-ms.ts';

const emails = (text: string) => findEmails(text).map(({ text: found }) => found);
const phones = (text: string, wasAsked = false) => findPhones(text, wasAsked).map(({ text: found }) => found);

describe('findEmails', () => {
  test.each([
    ['Write to ann@example.com.', ['ann@example.com']],
    ["<o'neil.b+x@mail.example.co.uk>, thanks", ["o'neil.b+x@mail.example.co.uk"]],
    ['jürgen@bücher.example', ['jürgen@bücher.example']],
    ['用户@例子.公司', ['用户@例子.公司']],
    ['a@xn--bcher-kva.xn--p1ai!', ['a@xn--bcher-kva.xn--p1ai']],
    ['mailto:Ann@Example.COM or bob@example.org', ['Ann@Example.COM', 'bob@example.org']],
    ['ann@example, @ann, ann@.com, .@x.de, a..b@x.de, a@b@c.de, ann@-x.de, 5@6', []],
    [`${'a'.repeat(65)}@example.com`, []],
  ])('finds in %s: %j', (text, expected) => {
    expect(emails(text)).toEqual(expected);
  });

  test.each([
    ['a'.repeat(4_000)],
    ['a.'.repeat(2_000)],
    [`a@${'b-'.repeat(2_000)}`],
    [`a@${'b.'.repeat(2_000)}`],
  ])('reads text crafted to be slow within a second: %#', async (text) => {
    expect(await processorMs(() => emails(text))).toBeLessThan(1_000);
  });
});

describe('findPhones', () => {
  test.each([
    ['Call me at +49 30 1234567 please', ['+49 30 1234567']],
    ['+1 (555) 010-9999', ['+1 (555) 010-9999']],
    ['my phone number is (555) 010-9999.', ['(555) 010-9999']],
    ['Tel.: 030/123 45-67', ['030/123 45-67']],
    ['Meine Telefonnummer ist 0171 1234567', ['0171 1234567']],
    ['Rufen Sie mich unter 030 1234567 an', ['030 1234567']],
    ['mi teléfono: 612 345 678', ['612 345 678']],
    ['Mon numéro : 01 23 45 67 89', ['01 23 45 67 89']],
    ['Rappelez-moi au 01.23.45.67.89', ['01.23.45.67.89']],
    ['Call me about order 12345678 at 030 1234567', ['030 1234567']],
    ['My order number is 12345678', []],
    ['Call me about order 12345678', []],
    ['Bestellnummer 12345678, bitte anrufen', []],
    ['Call me on 12.05.2026', []],
    ['Call me on 2026-05-12', []],
    ['please call 2026-05-12 10:00', []],
    ['call 192.168.100.100', []],
    ['I have 12345678 rows', []],
    ['call 12345', []],
    ['call 1234567890123456', []],
    ['phone user1234567@example.com', []],
  ])('finds in %s: %j', (text, expected) => {
    expect(phones(text)).toEqual(expected);
  });

  test('accepts bare digits if a phone number was asked for', () => {
    expect(phones('030 1234567')).toEqual([]);
    expect(phones('030 1234567', true)).toEqual(['030 1234567']);
    expect(phones('Ann Smith, 030 1234567', true)).toEqual(['030 1234567']);
    expect(phones('order 12345678', true)).toEqual([]);
    expect(phones('12.05.2026', true)).toEqual([]);
    expect(phones('the export stopped after it had written 12345678 rows', true)).toEqual([]);
  });
});

describe('findName', () => {
  test.each([
    ['My name is Ann Smith and I need help', 'Ann Smith'],
    ['my name is ann smith, call me', 'ann smith'],
    ['Hi, I am Ann.', 'Ann'],
    ["I'm Ann O'Neil from Acme", "Ann O'Neil"],
    ['Ich heiße Jürgen von der Au', 'Jürgen von der Au'],
    ['Mein Name ist Dr. Eva Maier.', 'Dr. Eva Maier'],
    ['Ich bin Eva Maier', 'Eva Maier'],
    ['Me llamo José García López', 'José García López'],
    ['Je m’appelle Zoé', 'Zoé'],
    ['Ann Smith, ann@example.com', 'Ann Smith'],
    ['My name is Will', 'Will'],
    ['I am looking for an invoice', null],
    ['I am German', null],
    ['Ich bin Kunde bei Ihnen', null],
    ['Ich bin Programmierer', null],
    ['soy cliente', null],
    ['je suis client', null],
    ['My name is wrong on the invoice', null],
    ['Please write to ann@example.com', null],
    ['Ann', null],
  ])('finds in %s: %j', (words, expected) => {
    expect(findName(words, { wasAsked: false })).toBe(expected);
  });

  test.each([
    ['Ann', 'Ann'],
    ['ann smith', 'ann smith'],
    ['Hi, Ann Smith!', 'Ann Smith'],
    ['José Luis de la Cruz', 'José Luis de la Cruz'],
    ['田中太郎', '田中太郎'],
    ['Ann Smith ann@example.com', 'Ann Smith'],
    ['ann@example.com', null],
    ['How much is it?', null],
    ['Refund policy', null],
    ['Ann?', null],
    ['no thanks', null],
    ['I want my invoice', null],
    ['pricing', null],
    ['42', null],
    ['la', null],
  ])('after a request for the name, finds in %s: %j', (words, expected) => {
    expect(findName(words, { wasAsked: true })).toBe(expected);
  });
});

describe('isRefusal', () => {
  test.each([
    'No',
    'no thanks',
    'No, thank you!',
    'never mind',
    "I'd rather not",
    "No, I don't want to give you my email",
    'Nein danke',
    'Lieber nicht.',
    'No gracias',
    'Mejor no',
    'Non merci',
    'Laissez tomber',
    'No. Thanks.',
  ])('%s is a refusal', (words) => {
    expect(isRefusal(words)).toBe(true);
  });

  test.each([
    'No, how much does it cost?',
    'No. Where is my order',
    'ann@example.com',
    'Nothing works',
    'Norbert',
    'thanks',
    'Nein, was kostet das',
    'cancel my subscription',
  ])('%s is no refusal', (words) => {
    expect(isRefusal(words)).toBe(false);
  });
});
