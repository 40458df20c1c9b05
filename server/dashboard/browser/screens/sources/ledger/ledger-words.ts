import { ledger as english } from '../../../texts/english/screens/ledger.ts';
import { ledger as german } from '../../../texts/german/screens/ledger.ts';
import { useWords } from '../../../texts/texts.tsx';

export type LedgerWords = typeof english;

/** The texts of the ledger. */
export const useLedgerWords = () => useWords({ en: english, de: german });
