import { describe, expect, test } from 'vitest';
import { answerPrompt } from '../../../../core/answering/prompts/answer-v2.ts';
import { PromptEcho } from '../../../../core/answering/prompts/prompt-echo.ts';
import { shopTask } from '../../../helpers/test-writer.ts';

describe.each(['strict', 'fallback'] as const)('the prompt (%s)', (strictness) => {
  const [system] = answerPrompt(shopTask({ strictness }));
  const text = system?.text ?? '';
  const echo = new PromptEcho(text);

  test('is recognised sentence by sentence, and before four words of it were told', () => {
    for (const sentence of text.split(/(?<=[.:])\s+/u)) {
      expect(echo.isIn(sentence)).toBe(true);
      const words = sentence.match(/\S*[\p{L}\p{N}_]\S*/gu) ?? [];
      expect(echo.mayBeIn(words.slice(0, 4).join(' '))).toBe(true);
    }
  });

  test.each([
    'Parcels arrive within three working days.',
    'If that is not enough, write to the customer service.',
    'Copy the number of the order from the e-mail.',
  ])('is not taken for an answer: %s', (sentence) => {
    expect(echo.isIn(sentence)).toBe(false);
  });
});
