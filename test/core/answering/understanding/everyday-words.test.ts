import { expect, test } from 'vitest';
import { everydayReading } from '../../../../core/answering/understanding/everyday-words.ts';

const passage = (body: string, title = '') => ({ title, headings: [], body });
const shop = [
  passage('We refund damaged goods if you send a photo.'),
  passage('A gift card expires after two years.'),
  passage('Delivery takes three days.'),
];

test('everyday words are replaced by words of the passages that mean the same', () => {
  expect(everydayReading('My lamp arrived smashed', shop)).toBe('my lamp arrived damaged');
  expect(everydayReading('do your vouchers run out?', shop)).toBe('do your gift card expire');
  expect(everydayReading('How long does shipping take?', shop.toReversed())).toBe(
    'how long does delivery take',
  );
});

test('words that the passages hold stay', () => {
  expect(everydayReading('When does delivery of a gift card arrive?', shop)).toBeNull();
});

test('words that no passage has in another form stay, so that another subject finds nothing', () => {
  expect(everydayReading('Do you sell lawn mowers?', shop)).toBeNull();
});

test('words that say nothing are left out beside a replaced one', () => {
  expect(everydayReading('please can someone actually swap this smashed thing', shop)).toBe(
    'can swap this damaged',
  );
});

test('a question word with its letters in another order is left out', () => {
  expect(everydayReading('how mcuh is delivery', shop)).toBe('how is delivery');
});
