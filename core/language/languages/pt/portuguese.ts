import type { LanguagePack } from '../../language-pack.ts';
import { grammar } from './grammar.ts';

export const portuguese: LanguagePack = { code: 'pt', name: 'Portuguese', script: 'latin', grammar };
