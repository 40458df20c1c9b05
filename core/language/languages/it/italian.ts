import type { LanguagePack } from '../../language-pack.ts';
import { grammar } from './grammar.ts';
import { smallTalk } from './small-talk.ts';

export const italian: LanguagePack = { code: 'it', name: 'Italian', script: 'latin', grammar, smallTalk };
