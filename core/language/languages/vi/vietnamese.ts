import type { LanguagePack } from '../../language-pack.ts';

export const vietnamese: LanguagePack = {
  code: 'vi',
  name: 'Vietnamese',
  script: 'latin',
  grammar: {
    stopWords: `ai gì nào đâu khi nào bao nhiêu lâu như thế tại sao vì là có không thể được của và các những
    một cho ở trong đã`,
  },
  texts: {
    fallback:
      'Tôi không tìm thấy câu trả lời trong các tài liệu hiện có. Vui lòng thử diễn đạt khác, hoặc yêu cầu gặp nhân viên.',
    disclosure: {
      machine: 'Máy trả lời dựa trên các trang trợ giúp của chúng tôi.',
      person: 'Bạn có thể yêu cầu gặp nhân viên bất cứ lúc nào.',
    },
    skillFailure:
      'Tôi chưa thể làm việc đó lúc này. Vui lòng thử lại sau giây lát, hoặc yêu cầu gặp nhân viên.',
  },
};
