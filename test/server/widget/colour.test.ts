import fc from 'fast-check';
import { expect, test } from 'vitest';
import { accentOf } from '../../../server/widget/accent.ts';
import { contrast } from '../../../server/widget/colour.ts';
import { chooseTexts, languages } from '../../../server/widget/texts/choose-texts.ts';

test('whatever colour is chosen, texts can be read on it, and it on both grounds', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffff }), (number) => {
      const { colour, text, light, dark } = accentOf(`#${number.toString(16).padStart(6, '0')}`);
      expect(contrast(colour, text)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(light, '#ffffff')).toBeGreaterThanOrEqual(4.5);
      expect(contrast(dark, '#17191e')).toBeGreaterThanOrEqual(4.5);
    }),
  );
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
});

test('every language has every text, and what is filled in', () => {
  expect(languages).toHaveLength(12);
  for (const language of languages) {
    const { texts } = chooseTexts([language]);
    expect(Object.values(texts).every((text) => text.trim() !== '')).toBe(true);
    expect(texts.withPerson).toContain('{name}');
    expect(texts.saved).toContain('{name}');
    expect(texts.unread).toContain('{count}');
  }
  expect(chooseTexts(['pt-BR']).language).toBe('pt');
  expect(chooseTexts(['xx', 'zh-Hant-TW']).language).toBe('zh');
  expect(chooseTexts([]).language).toBe('en');
});
