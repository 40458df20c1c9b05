import { operations as english } from '../../texts/english/installation/operations.ts';
import { operations as german } from '../../texts/german/installation/operations.ts';
import { useWords } from '../../texts/texts.tsx';

export type OperationsWords = typeof english;

/** The texts of the operator's area. */
export const useOperationsWords = () => useWords({ en: english, de: german });

/** The word of a name that the server sends; the name itself if there is none in this language. */
export function wordFor(words: Readonly<Record<string, string>>, name: string): string {
  return words[name] ?? name;
}
