/** How models write the numbers of passages: `[1]`, `[1, 3]`, `[Passage 2]`, `【1】`, with the space before them. */
const CITATION =
  /(?<!\s)\s*(?:\[\^?(?:(?:passages?|sources?|documents?)\s{0,4})?(\d{1,2}(?:\s{0,4}[,;&]\s{0,4}\d{1,2})*)\]|【(\d{1,2})[^】]{0,16}】)/giu;
const WHOLE_CITATION = new RegExp(`^(?:${CITATION.source})`, 'iu');
/** What may become one when more of it is there. */
const BEGUN_CITATION = /^\s*(?:\[[^\]\n]{0,24}|【[^】\n]{0,24})$/u;

export interface CitedText {
  /** Without the numbers: the reader has nothing that they refer to. */
  readonly text: string;
  /** As written, which says nothing about whether there are such passages. */
  readonly numbers: readonly number[];
}

export function readCitations(raw: string): CitedText {
  if (!raw.includes('[') && !raw.includes('【')) return { text: raw, numbers: [] };
  const numbers: number[] = [];
  const text = raw.replace(CITATION, (_, bracketed?: string, wide?: string) => {
    for (const digits of (bracketed ?? wide ?? '').match(/\d+/g) ?? []) numbers.push(Number(digits));
    return '';
  });
  return { text, numbers };
}

/** How many characters the citation at the beginning of a text takes; 0 where none is, null where it may yet be one. */
export function citationLength(raw: string): number | null {
  const whole = WHOLE_CITATION.exec(raw);
  if (whole !== null) return whole[0].length;
  return BEGUN_CITATION.test(raw) ? null : 0;
}
