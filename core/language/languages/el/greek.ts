import type { LanguagePack } from '../../language-pack.ts';

export const greek: LanguagePack = {
  code: 'el',
  name: 'Greek',
  script: /\p{Script=Greek}/u,
  grammar: {
    stopWords: `ποιος ποια ποιο ποιοι ποιες ποιον ποιαν τι πότε πού πως πώς γιατί πόσο πόση πόσα πόσοι πόσες είναι ήταν μπορώ
    μπορεί ο η το οι τα του της των τον την στο στη στην στον στις σε και να με για από`,
  },
};
