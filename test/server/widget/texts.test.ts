import { expect, test } from 'vitest';
import { detectLanguage } from '../../../core/language/language.ts';
import { fallbackMessage, findText } from '../../../core/language/localised-texts.ts';
import { chooseTexts, languages } from '../../../server/widget/texts/choose-texts.ts';

test('every language has every text with its placeholders', () => {
  expect(languages).toHaveLength(12);
  for (const language of languages) {
    const { texts } = chooseTexts([language]);
    expect(Object.values(texts).every((text) => text.trim() !== '')).toBe(true);
    expect(texts.withPerson).toContain('{name}');
    expect(texts.saved).toContain('{name}');
    expect(texts.unread).toContain('{count}');
    expect(texts.changed).toContain('{when}');
  }
  expect(chooseTexts(['pt-BR']).language).toBe('pt');
  expect(chooseTexts(['xx', 'zh-Hant-TW']).language).toBe('zh');
  expect(chooseTexts([]).language).toBe('en');
});

test.each(languages)(
  'a request for an agent in %s is answered in that language without a model',
  (language) => {
    const { texts } = chooseTexts([language]);
    expect(detectLanguage(texts.askHuman).code).toBe(language);
    const when = { day: '1', time: '2', zone: '3' };
    const said = (code: string) => [
      ...Object.values(findText('channel', code)),
      ...Object.values(findText('handover', code)).map((words) =>
        typeof words === 'string' ? words : words(when),
      ),
      ...Object.values(findText('lead', code)).map((words) =>
        typeof words === 'string' ? words : words('Ada'),
      ),
      findText('signIn', code),
      findText('skillFailure', code),
      fallbackMessage('', code),
    ];
    const english = said('en');
    if (language !== 'en') expect(said(language).filter((words) => english.includes(words))).toEqual([]);
  },
);
