import { changes as english } from '../../../texts/english/knowledge/changes.ts';
import { changes as german } from '../../../texts/german/knowledge/changes.ts';
import { useWords } from '../../../texts/texts.tsx';

export type ChangeWords = typeof english;

/** The texts of change sets. */
export const useChangeWords = () => useWords({ en: english, de: german });
