import { answers as english } from '../../texts/english/screens/answers.ts';
import { answers as german } from '../../texts/german/screens/answers.ts';
import { useWords } from '../../texts/texts.tsx';

export type AnswerWords = typeof english;

/** The texts of the answers. */
export const useAnswerWords = () => useWords({ en: english, de: german });
