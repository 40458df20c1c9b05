import { mailbox as english } from '../../../../texts/english/screens/mailbox.ts';
import { mailbox as german } from '../../../../texts/german/screens/mailbox.ts';
import { useWords } from '../../../../texts/texts.tsx';

/** The texts of the set-up of a mailbox. */
export const useMailboxWords = () => useWords({ en: english, de: german });
