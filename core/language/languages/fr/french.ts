import type { LanguagePack } from '../../language-pack.ts';
import { grammar } from './grammar.ts';

export const french: LanguagePack = { code: 'fr', name: 'French', script: 'latin', grammar };
