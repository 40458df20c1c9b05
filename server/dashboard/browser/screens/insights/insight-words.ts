import { insights as english } from '../../texts/english/screens/insights.ts';
import { insights as german } from '../../texts/german/screens/insights.ts';
import { useWords } from '../../texts/texts.tsx';

export type InsightWords = typeof english;

/** The texts of the insights. */
export const useInsightWords = () => useWords({ en: english, de: german });
