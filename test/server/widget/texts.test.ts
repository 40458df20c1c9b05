import { expect, test } from 'vitest';
import { leadWording } from '../../../core/answering/skills/collect-lead/lead-wording.ts';
import { handoverWording } from '../../../core/answering/skills/escalate-to-human/handover-message.ts';
import { failureMessage } from '../../../core/answering/skills/http/run-http-skill.ts';
import { findChannelTexts } from '../../../core/channels/channel-texts.ts';
import { detectLanguage } from '../../../core/language/language.ts';
import { fallbackMessage, signInMessage } from '../../../core/language/localised-texts.ts';
import { chooseTexts, languages } from '../../../server/widget/texts/choose-texts.ts';

test('every language has every text with its placeholders', () => {
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

test.each(languages)(
  'a request for an agent in %s is answered in that language without a model',
  (language) => {
    const { texts } = chooseTexts([language]);
    expect(detectLanguage(texts.askHuman).code).toBe(language);
    const when = { day: '1', time: '2', zone: '3' };
    const said = (code: string) => [
      ...Object.values(findChannelTexts(code)),
      ...Object.values(handoverWording(code)).map((words) =>
        typeof words === 'string' ? words : words(when),
      ),
      ...Object.values(leadWording(code)).map((words) => (typeof words === 'string' ? words : words('Ada'))),
      signInMessage(code),
      failureMessage(code),
      fallbackMessage('', code),
    ];
    const english = said('en');
    if (language !== 'en') expect(said(language).filter((words) => english.includes(words))).toEqual([]);
  },
);
