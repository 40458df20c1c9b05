import { describe, expect, test } from 'vitest';
import { validateRewrite } from '../../../../core/answering/understanding/rewrite-question.ts';

const usable = (rewriting: string, question: string, ...earlier: string[]) =>
  validateRewrite(rewriting, { question, earlier });

describe('a rewrite is accepted', () => {
  test.each([
    ['How heavy is the Vexler trimmer?', 'How heavy is it?', 'We recommend the Vexler trimmer.'],
    ['How long do the returns of jackets take?', 'how long does that take?', 'How do I return a jacket?'],
    ['What do 2 seats cost?', 'what do two cost?', 'How many seats are there?'],
    ['Was kostet der Versand für die Schweiz?', 'und für die Schweiz?', 'Was kostet der Versand?'],
    ['¿Cuánto cuesta el envío para Portugal?', '¿y para Portugal?', '¿Cuánto cuesta el envío a España?'],
    ['退货需要多少天？', '需要多少天？', '怎么退货？'],
  ])('if all its words occur in the conversation: %s', (rewriting, question, earlier) => {
    expect(usable(` ${rewriting}\n`, question, earlier)).toBe(rewriting);
  });
});

describe('a rewrite is rejected', () => {
  test.each([
    ['a thing', 'How heavy is the Zorbax trimmer?'],
    ['a number', 'How heavy are 3 Vexler trimmers?'],
    ['an answer', 'The Vexler trimmer weighs little.'],
    ['a preface', 'Rewritten question: how heavy is the Vexler trimmer?'],
  ])('if it adds %s that the conversation does not contain', (_, rewriting) => {
    expect(usable(rewriting, 'How heavy is it?', 'We recommend the Vexler trimmer.')).toBeNull();
  });

  test('if it adds a word in a script without spaces', () => {
    expect(usable('退货运费多少？', '多少？', '怎么退货？')).toBeNull();
  });

  test.each([
    ['several lines long', 'How heavy is it?\nThe Vexler trimmer'],
    ['too long', 'Vexler trimmer '.repeat(30)],
    ['empty', ' \n'],
    ['the question itself', ' How heavy is it? '],
  ])('if it is %s', (_, rewriting) => {
    expect(usable(rewriting, 'How heavy is it?', 'We recommend the Vexler trimmer.')).toBeNull();
  });
});

describe('a translation into the documents’ language', () => {
  const translated = (rewrite: string) =>
    validateRewrite(rewrite, {
      question: 'Was kostet der Versand von 3 Lampen nach Deutschland?',
      earlier: [],
      language: 'en',
    });

  test('is accepted although its words are new', () => {
    const rewrite = 'How much does the delivery of 3 lamps to Germany cost?';
    expect(translated(rewrite)).toBe(rewrite);
  });

  test('is rejected if it adds a number or is in another language', () => {
    expect(translated('How much does the delivery of 5 lamps to Germany cost?')).toBeNull();
    expect(translated('Combien coûte la livraison des lampes en Allemagne ?')).toBeNull();
  });
});
