import type { LanguagePack } from '../../language-pack.ts';

export const hebrew: LanguagePack = { code: 'he', name: 'Hebrew', script: /\p{Script=Hebrew}/u };
