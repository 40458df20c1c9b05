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
    stopWords:
      '何 誰 いつ どこ どう どの どれ なぜ いくら いくつ どのくらい は が の に を で と か ます です ですか ある する いる た て し れ さ',
    openers: ['もちろんです'],
    missingPage: '見つかりません',
  },
  smallTalk,
  courtesies,
  personRequests,
  ratings: {
    thanks: 'ありがとう ありがとうございます ありがとうございました',
    opinions: '良い 良かった よかった 最高 悪い 遅い',
    askingParts:
      'か。 ますか ですか ません どう いつ どこ なぜ 何 ください 下さい たい まだ お願い ほしい 欲しい',
    attachedUnits: 'つ星|星|点',
  },
  texts,
};
