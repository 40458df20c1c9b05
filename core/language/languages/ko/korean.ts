import type { LanguagePack } from '../../language-pack.ts';

export const korean: LanguagePack = {
  code: 'ko',
  name: 'Korean',
  script: /\p{Script=Hangul}/u,
  grammar: {
    stopWords:
      '누구 누가 무엇 뭐 언제 어디 어디서 어떻게 왜 어느 어떤 얼마 얼마나 몇 있나요 할 수 있습니까 무엇입니까',
    openers: ['물론입니다', '물론이죠'],
  },
  texts: {
    fallback:
      '보유한 문서에서 답을 찾지 못했습니다. 다른 표현으로 다시 질문하시거나 상담원 연결을 요청해 주세요.',
    disclosure: {
      machine: '도움말 페이지를 바탕으로 기계가 답변합니다.',
      person: '언제든지 상담원 연결을 요청하실 수 있습니다.',
    },
    skillFailure:
      '지금은 그 일을 처리하지 못했습니다. 잠시 후 다시 시도하시거나 상담원 연결을 요청해 주세요.',
  },
};
