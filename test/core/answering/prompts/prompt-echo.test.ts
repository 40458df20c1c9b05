import { describe, expect, test } from 'vitest';
import { answerPrompt } from '../../../../core/answering/prompts/answer-v3.ts';
import { PromptEcho } from '../../../../core/answering/prompts/prompt-echo.ts';
import { shopTask } from '../../../helpers/models/test-writer.ts';

describe.each(['strict', 'fallback'] as const)('the %s prompt', (strictness) => {
  const [system] = answerPrompt(shopTask({ strictness }));
  const text = system?.text ?? '';
  const echo = new PromptEcho(text);

  test('is recognised in each of its sentences, before four words are shown', () => {
    for (const sentence of text.split(/(?<=[.:])\s+/u)) {
      expect(echo.isIn(sentence)).toBe(true);
      const words = sentence.match(/\S*[\p{L}\p{N}_]\S*/gu) ?? [];
      expect(echo.mayBeIn(words.slice(0, 4).join(' '))).toBe(true);
    }
  });

  test('is recognised as early in text that arrives in pieces of any length, although only new text is checked', () => {
    const some = text.split(/\s+/u).slice(20, 32).join(' – ');
    const sentence = `Well, 𠀀 ${some}`;
    for (const step of [1, 2, 3, 7, 20]) {
      for (let end = step; end <= sentence.length; end += step) {
        const whole = echo.mayBeIn(sentence.slice(0, end));
        expect(echo.mayBeIn(sentence.slice(0, end), step)).toBe(whole);
        if (whole) break;
      }
    }
    expect(echo.mayBeIn(sentence)).toBe(true);
  });

  test.each([
    'Parcels arrive within three working days.',
    'If that is not enough, write to the customer service.',
    'Copy the number of the order from the e-mail.',
  ])('is not recognised in an answer: %s', (sentence) => {
    expect(echo.isIn(sentence)).toBe(false);
  });
});
