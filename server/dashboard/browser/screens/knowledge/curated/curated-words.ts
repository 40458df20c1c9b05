import { curated as english } from '../../../texts/english/answers/curated.ts';
import { curated as german } from '../../../texts/german/answers/curated.ts';
import { useWords } from '../../../texts/texts.tsx';

export type CuratedWords = typeof english;

/** The texts of the curated answers. */
export const useCuratedWords = () => useWords({ en: english, de: german });
