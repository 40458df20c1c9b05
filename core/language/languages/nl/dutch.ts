import type { LanguagePack } from '../../language-pack.ts';
import { grammar } from './grammar.ts';
import { smallTalk } from './small-talk.ts';

export const dutch: LanguagePack = { code: 'nl', name: 'Dutch', script: 'latin', grammar, smallTalk };
