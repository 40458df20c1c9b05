import type { LanguagePack } from '../../language-pack.ts';

export const lao: LanguagePack = { code: 'lo', name: 'Lao', script: /\p{Script=Lao}/u };
