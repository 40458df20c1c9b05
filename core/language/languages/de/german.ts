import type { LanguagePack } from '../../language-pack.ts';
import { grammar } from './grammar.ts';
import { smallTalk } from './small-talk.ts';

export const german: LanguagePack = {
  code: 'de',
  name: 'German',
  script: 'latin',
  capitalisesNouns: true,
  grammar,
  smallTalk,
};
