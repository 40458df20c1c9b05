import type { LanguagePack } from '../../../core/language/language-pack.ts';
import { languages as known } from '../../../core/language/languages/index.ts';

/** A language that the product does not have, with a few parts. */
const georgian: LanguagePack = {
  code: 'ka',
  name: 'Georgian',
  script: /\p{Script=Georgian}/u,
  grammar: {
    stopWords: 'როდის სად რა',
  },
  personRequests: { requests: ['მინდა ადამიანთან საუბარი'], tails: ['რადგან'], bare: ['ოპერატორი'] },
  contactWords: { refusals: 'არა' },
  glossary: { entries: 'როდის=when გახსნილ-=open', hasCompounds: false },
  texts: { signIn: 'გთხოვთ, შედით სისტემაში.' },
};

export const languages: readonly LanguagePack[] = [...known, georgian];
