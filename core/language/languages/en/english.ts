import type { LanguagePack } from '../../language-pack.ts';
import { contactRequests, contactWords } from './contacts.ts';
import { everydayWords } from './everyday-words.ts';
import { grammar } from './grammar.ts';
import { courtesies, personRequests } from './requests.ts';
import { smallTalk } from './small-talk.ts';
import { texts } from './texts.ts';

export const english = {
  code: 'en',
  name: 'English',
  script: 'latin',
  grammar,
  smallTalk,
  courtesies,
  personRequests,
  contactRequests,
  contactWords,
  everydayWords,
  texts,
} satisfies LanguagePack;
