import { tickets as english } from '../../../texts/english/knowledge/tickets.ts';
import { tickets as german } from '../../../texts/german/knowledge/tickets.ts';
import { useWords } from '../../../texts/texts.tsx';

export type TicketsWords = typeof english;

/** The texts of the import of tickets. */
export const useTicketsWords = () => useWords({ en: english, de: german });
