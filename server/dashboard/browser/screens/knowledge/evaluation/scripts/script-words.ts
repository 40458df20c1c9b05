import { scripts as english } from '../../../../texts/english/screens/scripts.ts';
import { scripts as german } from '../../../../texts/german/screens/scripts.ts';
import { useWords } from '../../../../texts/texts.tsx';

export type ScriptWords = typeof english;

/** The texts of scripted customers. */
export const useScriptWords = () => useWords({ en: english, de: german });
