import { gaps as english } from '../../../texts/english/answers/gaps.ts';
import { gaps as german } from '../../../texts/german/answers/gaps.ts';
import { useWords } from '../../../texts/texts.tsx';

/** The texts of the gaps. */
export const useGapWords = () => useWords({ en: english, de: german });
