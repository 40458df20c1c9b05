import { proposals as english } from '../../../../texts/english/screens/proposals.ts';
import { proposals as german } from '../../../../texts/german/screens/proposals.ts';
import { useWords } from '../../../../texts/texts.tsx';

export type ProposalWords = typeof english;

/** The texts of proposed test questions. */
export const useProposalWords = () => useWords({ en: english, de: german });
