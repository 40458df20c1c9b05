/**
 * Letters, digits and the marks of ordinary sentences, from a letter on: nothing that Markdown or its links take for more
 * than it is. No line breaks, and no spaces that Markdown would take away.
 */
const PLAIN = /^\p{L}(?:[\p{L}\p{M}\p{N},;.?'’"“”«»()–—%€£¥-]| (?! |$))*$/u;
const LINK = /www\./i;

/** Whether a Markdown text is one paragraph that reads as it is written; where in doubt, it is not. */
export function isPlain(markdown: string): boolean {
  return PLAIN.test(markdown) && !LINK.test(markdown);
}
