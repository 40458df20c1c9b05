import type { LanguagePack } from '../../language-pack.ts';
import { contactRequests, contactWords } from './contacts.ts';
import { glossary } from './glossary.ts';
import { grammar } from './grammar.ts';
import { courtesies, personRequests } from './requests.ts';
import { smallTalk } from './small-talk.ts';
import { texts } from './texts.ts';

export const french: LanguagePack = {
  code: 'fr',
  name: 'French',
  script: 'latin',
  grammar,
  smallTalk,
  courtesies,
  personRequests,
  contactRequests,
  contactWords,
  glossary,
  texts,
};
