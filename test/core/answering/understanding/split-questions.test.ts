import { describe, expect, test } from 'vitest';
import { comparedThings, splitQuestions } from '../../../../core/answering/understanding/split-questions.ts';

const labels = (message: string) => splitQuestions(message).map(({ label }) => label);

describe('a message with several questions is split', () => {
  test.each([
    [
      'How long is a repair? And what does delivery to Spain cost?',
      ['How long is a repair?', 'And what does delivery to Spain cost?'],
    ],
    [
      'How much does delivery to Germany cost? And can you send seeds to Switzerland?',
      ['How much does delivery to Germany cost?', 'And can you send seeds to Switzerland?'],
    ],
    [
      'Was kostet der Versand nach Spanien? Und wie lange dauert eine Reparatur?',
      ['Was kostet der Versand nach Spanien?', 'Und wie lange dauert eine Reparatur?'],
    ],
    [
      'Combien coûte la livraison en Espagne ? Comment retourner une lampe ?',
      ['Combien coûte la livraison en Espagne ?', 'Comment retourner une lampe ?'],
    ],
    [
      '¿Cuánto cuesta el envío a España? ¿Cómo puedo devolver una lámpara?',
      ['¿Cuánto cuesta el envío a España?', '¿Cómo puedo devolver una lámpara?'],
    ],
    ['配送要多少钱？怎么退货给你们？', ['配送要多少钱？', '怎么退货给你们？']],
    [
      'كم تكلفة التوصيل إلى ألمانيا؟ كيف أعيد المصباح؟',
      ['كم تكلفة التوصيل إلى ألمانيا؟', 'كيف أعيد المصباح؟'],
    ],
  ])('%s', (message, expected) => {
    expect(labels(message)).toEqual(expected);
  });

  test('at the lines of a burst, with or without question marks', () => {
    expect(labels('hello\nhow do I return a lamp\nwhat does engraving cost?\ndo you ship to Norway')).toEqual(
      ['How do I return a lamp', 'What does engraving cost?', 'Do you ship to Norway'],
    );
  });

  test('with the statement before a question', () => {
    const parts = splitQuestions('My lamp is broken. How do I get a new one? What does delivery cost?');
    expect(parts).toEqual([
      { text: 'My lamp is broken. How do I get a new one?', label: 'How do I get a new one?' },
      { text: 'What does delivery cost?', label: 'What does delivery cost?' },
    ]);
  });
});

describe('a message with one question stays whole', () => {
  test.each([
    'How do I reset my password?',
    'Do you ship to Norway and Switzerland?',
    'Who founded the company, and when?',
    'Is it free? Really?',
    'What happens if the tank leaks and is out of warranty?',
    'When and where can I collect my order?',
    'How much does delivery cost and how long does it take?',
    'Hi, how are you? Do you ship to Norway?',
    'See https://shop.example/?a=1 and tell me whether it ships to Norway?',
    'I ordered on Monday.\nIt has not come.\nWhere is my parcel?',
  ])('%s', (message) => {
    expect(splitQuestions(message)).toEqual([{ text: message, label: message }]);
  });
});

test('a label holds no markup and no address', () => {
  const [, second] = labels(
    'What does delivery cost? Is **this** [one](https://evil.example/x) a good page?',
  );
  expect(second).not.toMatch(/evil|[*[\]]/u);
});

test.each([
  ['What is the difference between the Sapling plan and Oak?', ['the Sapling plan', 'Oak']],
  ['Compare Classic with Grand', ['Classic', 'Grand']],
  ['Was ist der Unterschied zwischen Mini und Grand?', ['Mini', 'Grand']],
  ['Mini vs Grand', ['Mini', 'Grand']],
  ['How do I reset my password and e-mail?', []],
])('finds the things that a question compares: %s', (question, things) => {
  expect(comparedThings(question)).toEqual(things);
});
