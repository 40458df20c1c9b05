import type { LanguagePack } from '../../language-pack.ts';

export const khmer: LanguagePack = { code: 'km', name: 'Khmer', script: /\p{Script=Khmer}/u };
