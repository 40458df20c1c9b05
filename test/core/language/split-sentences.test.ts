import { describe, expect, it } from 'vitest';
import { splitSentences } from '../../../core/language/sentences.ts';
import { growthOf } from '../../helpers/growth-ratio.ts';

describe('splitSentences', () => {
  it('splits at full stops, question and exclamation marks', () => {
    expect(
      splitSentences(
        'We open at nine every morning. Do you need a table for six? Please call us beforehand!',
      ),
    ).toEqual([
      'We open at nine every morning.',
      'Do you need a table for six?',
      'Please call us beforehand!',
    ]);
  });

  it.each([
    'Please ask Dr. Alder or Prof. Birch about the greenhouse.',
    'The tool weighs approx. 3.5 kg and comes in two sizes, e.g. small and large.',
    'The U.S. warehouse is run by J. R. Hollis and his brother.',
    'Der Rabatt gilt z. B. für Studenten und ab dem 3. Mai auch für Schulen.',
    'Nous livrons chez M. Dupré et Mme. Leroy chaque semaine.',
  ])('does not split after an abbreviation: %s', (sentence) => {
    expect(splitSentences(sentence)).toEqual([sentence]);
  });

  it('splits after an abbreviation that ends a sentence', () => {
    expect(splitSentences('The shop closes at 6 p.m. The workshop stays open until eight.')).toHaveLength(2);
  });

  it('keeps every list line and table row on its own', () => {
    const text =
      'You need:\n- a valid passport\n- two photographs\nSize: small; Price: 4 euros\nSize: large; Price: 7 euros';
    expect(splitSentences(text)).toEqual([
      'You need:',
      '- a valid passport',
      '- two photographs',
      'Size: small; Price: 4 euros',
      'Size: large; Price: 7 euros',
    ]);
  });

  it('does not treat the number of a list item as a sentence', () => {
    expect(splitSentences('1. Open the lid slowly.\n2. Pour in the water and wait.')).toHaveLength(2);
  });

  it('joins hard-wrapped lines', () => {
    expect(splitSentences('The boiler has to be emptied before\nthe first frost of the year.')).toEqual([
      'The boiler has to be emptied before the first frost of the year.',
    ]);
  });

  it('splits Chinese and Japanese at their own end marks', () => {
    expect(splitSentences('我们每天九点开门。周日休息。')).toEqual(['我们每天九点开门。', '周日休息。']);
    expect(splitSentences('毎朝九時に開きます。日曜日は休みです。')).toHaveLength(2);
  });

  it('cuts long Thai text, which has no end marks, at spaces', () => {
    const text = Array.from({ length: 30 }, () => 'ร้านเปิดทุกวันตั้งแต่เก้าโมงเช้า').join(' ');
    const sentences = splitSentences(text);
    expect(sentences.length).toBeGreaterThan(3);
    expect(Math.max(...sentences.map((sentence) => sentence.length))).toBeLessThan(250);
  });

  it('loses no text', () => {
    const text = 'Yes. We do (mostly)! "Really?" she asked… No. 5 is gone; e.g. sold. OK';
    expect(splitSentences(text).join(' ').replace(/\s/gu, '')).toBe(text.replace(/\s/gu, ''));
  });

  it('returns an empty list for empty text', () => {
    expect(splitSentences(' \n ')).toEqual([]);
  });

  it.each(['.', 'a.', 'a. ', 'a.\t', '[.]', '. (', 'e.g. ', '!?', '."', '。', 'Mr. A\n'])(
    'takes linear time for a text of only %j',
    (text) => {
      expect(growthOf(splitSentences, text, 64_000)).toBeLessThan(10);
    },
  );
});
