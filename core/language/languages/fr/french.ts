import type { LanguagePack } from '../../language-pack.ts';
import { grammar } from './grammar.ts';
import { smallTalk } from './small-talk.ts';

export const french: LanguagePack = { code: 'fr', name: 'French', script: 'latin', grammar, smallTalk };
