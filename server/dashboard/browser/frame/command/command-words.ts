import { command as english } from '../../texts/english/screens/command.ts';
import { command as german } from '../../texts/german/screens/command.ts';
import { useWords } from '../../texts/texts.tsx';

export type CommandWords = typeof english;

/** The texts of the command menu. */
export const useCommandWords = () => useWords({ en: english, de: german });
