import type { LanguagePack } from '../../language-pack.ts';
import { grammar } from './grammar.ts';
import { smallTalk } from './small-talk.ts';

export const english = {
  code: 'en',
  name: 'English',
  script: 'latin',
  grammar,
  smallTalk,
} satisfies LanguagePack;
