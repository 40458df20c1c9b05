import type { LanguagePack } from '../../language-pack.ts';
import { courtesies, personRequests } from './requests.ts';
import { smallTalk } from './small-talk.ts';
import { texts } from './texts.ts';

export const japanese: LanguagePack = {
  code: 'ja',
  name: 'Japanese',
  script: /[\p{Script=Hiragana}\p{Script=Katakana}]/u,
  spaceless: true,
  listSeparator: '；',
  grammar: {
    stopWords: `何 誰 いつ どこ どう どの どれ なぜ いくら いくつ どのくらい は が の に を で と か ます です ですか ある する いる た て し れ さ`,
    answerCues: { date: { asks: 'いつ', forms: '\\d[年月日]' }, measure: { asks: 'いくら|いくつ' } },
    openers: ['もちろんです'],
    missingPage: '見つかりません',
  },
  smallTalk,
  courtesies,
  personRequests,
  texts,
};
