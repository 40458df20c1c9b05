import { toProblem } from '../../api/problem.ts';
import type { CommonCatalogue } from '../../texts/common-texts.tsx';

/** The words for a refused sign-in call, by the code of the server. */
export function describeFault(error: unknown, texts: CommonCatalogue): string {
  const { code, status, waitSeconds } = toProblem(error);
  const words: Readonly<Record<string, string>> = texts.signIn.errors;
  if (status === 429 && words[code] === undefined) {
    const { soon, seconds, minutes } = texts.signIn.tooMany;
    if (waitSeconds === null) return soon;
    return waitSeconds < 100 ? seconds(waitSeconds) : minutes(Math.ceil(waitSeconds / 60));
  }
  return words[code] ?? texts.signIn.errors.other;
}
