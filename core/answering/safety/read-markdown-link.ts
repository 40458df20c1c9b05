interface ReadOptions {
  /** Whether no more will come. */
  readonly ended: boolean;
  isForeign(address: string): boolean;
}

/** No two parts of these may take the same character: a text of brackets would be tried in all combinations. */
const LINK =
  /^!?\[((?:[^[\]\n]|\[[^[\]\n]{0,300}\]){0,300})\]\(\s{0,20}<?([^\s)>]{0,2000})(?:[\s>][^)]{0,1000})?\)/u;
/** What is still one when more comes: its words, then its address. */
const BEGUN =
  /^!?(?:\[(?:[^[\]\n]|\[[^[\]\n]{0,300}\]){0,300}(?:\[[^[\]\n]{0,300}|\](?:\([^)]{0,2000})?)?)?$/u;
/** The end of a link whose words went before it, being too long to wait for. */
const TAIL = /^\]\(\s{0,20}<?([^\s)>]{0,2000})(?:[\s>][^)]{0,1000})?\)/u;
const BEGUN_TAIL = /^\](?:\([^)]{0,2000})?$/u;

/**
 * The Markdown link or image at the beginning of a text, of which a foreign one leaves its words, to be read again; null to wait.
 */
export function readMarkdownLink(
  text: string,
  { ended, isForeign }: ReadOptions,
): { readonly length: number; readonly text: string; readonly words?: string } | null {
  const [whole, words = '', address = ''] = LINK.exec(text) ?? [];
  if (whole !== undefined) {
    return isForeign(address)
      ? { length: whole.length, text: '', words }
      : { length: whole.length, text: whole };
  }
  const [tail, behind = ''] = TAIL.exec(text) ?? [];
  if (tail !== undefined) return { length: tail.length, text: isForeign(behind) ? ']' : tail };
  if (!ended && (BEGUN.test(text) || BEGUN_TAIL.test(text))) return null;
  return { length: 1, text: text.slice(0, 1) };
}
