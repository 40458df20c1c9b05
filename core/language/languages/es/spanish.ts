import type { LanguagePack } from '../../language-pack.ts';
import { grammar } from './grammar.ts';

export const spanish: LanguagePack = { code: 'es', name: 'Spanish', script: 'latin', grammar };
