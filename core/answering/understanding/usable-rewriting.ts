import { saysOnly } from './says-only.ts';

const LONGEST = 400;

/**
 * A model's rewriting of a question, as far as it may be searched for; null where it is none, or brings in words that
 * nobody said: those would find answers to a question that nobody asked.
 */
export function usableRewriting(
  rewriting: string,
  { question, earlier }: { readonly question: string; readonly earlier: readonly string[] },
): string | null {
  const text = rewriting.trim();
  if (text === '' || text === question.trim() || text.length > LONGEST || /[\n\r]/u.test(text)) return null;
  return saysOnly(text, [question, ...earlier]) ? text : null;
}
