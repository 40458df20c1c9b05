import type { LanguagePack } from '../../language-pack.ts';
import { grammar } from './grammar.ts';

export const english: LanguagePack = { code: 'en', name: 'English', script: 'latin', grammar };
