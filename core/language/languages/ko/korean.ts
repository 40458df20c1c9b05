import type { LanguagePack } from '../../language-pack.ts';

export const korean: LanguagePack = {
  code: 'ko',
  name: 'Korean',
  script: /\p{Script=Hangul}/u,
  grammar: {
    stopWords: `누구 누가 무엇 뭐 언제 어디 어디서 어떻게 왜 어느 어떤 얼마 얼마나 몇 있나요 할 수 있습니까 무엇입니까`,
    openers: ['물론입니다', '물론이죠'],
  },
};
