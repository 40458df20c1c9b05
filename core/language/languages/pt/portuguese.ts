import type { LanguagePack } from '../../language-pack.ts';
import { grammar } from './grammar.ts';
import { smallTalk } from './small-talk.ts';

export const portuguese: LanguagePack = {
  code: 'pt',
  name: 'Portuguese',
  script: 'latin',
  grammar,
  smallTalk,
};
