import { expect, test } from 'vitest';
import { findVisitorWords, parseLastLine, plainLine } from '../../../core/inbox/last-line.ts';

const row = {
  ...{ last_role: 'agent', last_text: 'Hello', last_author: 'ben.ortiz@shop.example' },
  ...{ last_author_name: null, last_author_id: null, last_at: new Date(0), visitor_texts: null },
};

test.each([
  ['**Yes**, from _nine_ to `five`.', 'Yes, from nine to five.'],
  ['# Hours\n\n- Monday\n- Tuesday', 'Hours Monday Tuesday'],
  ['See [the page](https://shop.example/a_b_c) > now', 'See the page > now'],
  ['> quoted\n1. first', 'quoted 1. first'],
  ['2 * 3 * 4 and snake_case_name', '2 * 3 * 4 and snake_case_name'],
])('a line shows %j without its marks', (text, line) => {
  expect(plainLine(text)).toBe(line);
});

test('marks without an end cost no more than the text', () => {
  const text = '*a'.repeat(200) + '_a'.repeat(200) + '['.repeat(400);
  expect(plainLine(text).length).toBeLessThanOrEqual(200);
});

test.each([
  ['the last question', ['Where is it?', 'When is it open?'], 'Where is it?'],
  [
    'the question before the wish for a person',
    ['Can I speak to a human?', 'When is it open?'],
    'When is it open?',
  ],
  ['the question of a message with both', ['Hi! **When** is it open? A human please.'], 'When is it open?'],
  ['what was written, if it asks nothing', ['Can I speak to a human?'], 'Can I speak to a human?'],
  ['nothing where nobody waits', null, null],
])('the words of a visitor are %s', (_, texts, words) => {
  expect(findVisitorWords({ ...row, visitor_texts: texts })).toBe(words);
});

test('an agent has a name and never an address', () => {
  expect(parseLastLine({ ...row, last_author_name: 'Ben Ortiz' })?.author).toBe('Ben Ortiz');
  expect(parseLastLine(row)?.author).toBe('Ben Ortiz');
  expect(parseLastLine({ ...row, last_role: 'assistant' })?.author).toBeNull();
});
