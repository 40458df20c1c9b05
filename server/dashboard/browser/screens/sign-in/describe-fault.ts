import { toProblem } from '../../api/problem.ts';
import type { Catalogue } from '../../texts/english.ts';

/** The words for a refused sign-in call, by the code of the server. */
export function describeFault(error: unknown, texts: Catalogue): string {
  const { code, status } = toProblem(error);
  const words: Readonly<Record<string, string>> = texts.signIn.errors;
  if (status === 429) return texts.signIn.errors.too_many;
  return words[code] ?? texts.signIn.errors.other;
}
