import { isSentenceEnd } from '../../language/sentences.ts';

/** The notations in which models cite passages: `[1]`, `[1, 3]`, `[Passage 2]`, `【1】`, with preceding whitespace. */
const CITATION =
  /(?<!\s)\s*(?:\[\^?(?:(?:passages?|sources?|documents?)\s{0,4})?(\d{1,2}(?:\s{0,4}[,;&]\s{0,4}\d{1,2})*)\]|【(\d{1,2})[^】]{0,16}】)/giu;
const WHOLE_CITATION = new RegExp(`^(?:${CITATION.source})`, 'iu');
/** A prefix that may still become a citation. */
const PARTIAL_CITATION = /^\s*(?:\[[^\]\n]{0,24}|【[^】\n]{0,24})$/u;

interface CitedText {
  /** Without citations, because the reader does not see the passages' numbers. */
  readonly text: string;
  /** The cited numbers as written; they may not exist. */
  readonly numbers: readonly number[];
}

/** Removes the citations of a sentence and returns their numbers. */
export function parseCitations(raw: string): CitedText {
  if (!raw.includes('[') && !raw.includes('【')) return { text: raw, numbers: [] };
  const numbers: number[] = [];
  const text = raw.replace(CITATION, (_, bracketed?: string, wide?: string) => {
    for (const digits of (bracketed ?? wide ?? '').match(/\d+/g) ?? []) numbers.push(Number(digits));
    return '';
  });
  return { text, numbers };
}

/** Returns the length of the citation at the start of a text; 0 if there is none, null if more text is needed. */
export function citationLength(raw: string): number | null {
  const whole = WHOLE_CITATION.exec(raw);
  if (whole !== null) return whole[0].length;
  return PARTIAL_CITATION.test(raw) ? null : 0;
}

const LATIN_STOP = /(?<![.!?…])[.!?…]+["'”’»)\]*_]*(?=[\s[【])/u;
const WIDE_STOP = /[。！？｡]+[」』”’）]*/u;
/** Any position at which a sentence may end. */
const SENTENCE_STOP = new RegExp(`${LATIN_STOP.source}|${WIDE_STOP.source}|\\n`, 'gu');
const CITATIONS = /^(?:\s*(?:\[[^\]\n]{1,24}\]|【[^】\n]{1,24}】))+/u;
const LIST_NUMBER = /^\s*\d{1,3}[.)]$/u;
/** The next sentence must show this much before the end of the previous one is certain. */
const NEXT_WORD = /^\s+[^\s[【]+\s/u;

/** Returns the end of the first sentence of a text, including its citations; null if it cannot be determined yet. */
export function findSentenceBoundary(text: string): number | null {
  for (const { index, 0: stop } of text.matchAll(SENTENCE_STOP)) {
    const end = index + stop.length;
    if (stop === '\n') return end;
    const rest = text.slice(end);
    const citations = CITATIONS.exec(rest)?.[0] ?? '';
    const after = rest.slice(citations.length);
    if (after.startsWith('\n')) return end + citations.length + 1;
    if (!/^\s/u.test(rest)) {
      if (after === '' || /^[[【]/u.test(after)) return null;
      return end + citations.length;
    }
    if (!NEXT_WORD.test(after)) return null;
    const piece = text.slice(0, end);
    if (
      !LIST_NUMBER.test(piece.slice(piece.lastIndexOf('\n') + 1)) &&
      isSentenceEnd(piece, after.trimStart().slice(0, 24))
    ) {
      return end + citations.length;
    }
  }
  return null;
}
