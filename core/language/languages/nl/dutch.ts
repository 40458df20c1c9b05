import type { LanguagePack } from '../../language-pack.ts';
import { grammar } from './grammar.ts';

export const dutch: LanguagePack = { code: 'nl', name: 'Dutch', script: 'latin', grammar };
