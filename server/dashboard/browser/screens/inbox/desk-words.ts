import { desk as english } from '../../texts/english/screens/desk.ts';
import { desk as german } from '../../texts/german/screens/desk.ts';
import { useWords } from '../../texts/texts.tsx';

/** The texts of the inbox that load with it. */
export const useDeskWords = () => useWords({ en: english, de: german });
