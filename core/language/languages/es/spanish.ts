import type { LanguagePack } from '../../language-pack.ts';
import { grammar } from './grammar.ts';
import { smallTalk } from './small-talk.ts';

export const spanish: LanguagePack = { code: 'es', name: 'Spanish', script: 'latin', grammar, smallTalk };
