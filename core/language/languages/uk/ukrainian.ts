import type { LanguagePack } from '../../language-pack.ts';

export const ukrainian: LanguagePack = {
  code: 'uk',
  name: 'Ukrainian',
  script: 'other',
  grammar: {
    stopWords: `хто кого кому що чого коли де куди звідки як чому навіщо який яка яке які якого скільки можна можу чи це був була
    було були є я мій моя і в у на з о про для до від`,
  },
};
