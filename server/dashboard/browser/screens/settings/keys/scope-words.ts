import { keyScopes as english } from '../../../texts/english/screens/key-scopes.ts';
import { keyScopes as german } from '../../../texts/german/screens/key-scopes.ts';
import { useWords } from '../../../texts/texts.tsx';

/** The words for what keys may do, and where. */
export const useScopeWords = () => useWords({ en: english, de: german });
