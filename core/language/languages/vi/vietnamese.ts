import type { LanguagePack } from '../../language-pack.ts';

export const vietnamese: LanguagePack = {
  code: 'vi',
  name: 'Vietnamese',
  script: 'latin',
  grammar: {
    stopWords: `ai gì nào đâu khi nào bao nhiêu lâu như thế tại sao vì là có không thể được của và các những một cho ở trong đã`,
  },
};
