import { answers as english } from '../../texts/english/answers.ts';
import { answers as german } from '../../texts/german/answers.ts';
import { useWords } from '../../texts/texts.tsx';

/** The texts of the answers. */
export const useAnswerWords = () => useWords({ en: english, de: german });
