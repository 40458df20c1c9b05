import { endsSentence } from '../../knowledge/sentence-end.ts';

const LATIN_STOP = /(?<![.!?…])[.!?…]+["'”’»)\]*_]*(?=[\s[【])/u;
const WIDE_STOP = /[。！？｡]+[」』”’）]*/u;
/** Anything after which a sentence may be over. */
const STOP = new RegExp(`${LATIN_STOP.source}|${WIDE_STOP.source}|\\n`, 'gu');
const CITATIONS = /^(?:\s*(?:\[[^\]\n]{1,24}\]|【[^】\n]{1,24}】))+/u;
const LIST_NUMBER = /^\s*\d{1,3}[.)]$/u;
/** What has to be there of the next sentence to be sure that it is one. */
const NEXT_WORD = /^\s+[^\s[【]+\s/u;

/** Where the first sentence of a text ends, its citations included; null where that cannot be told yet. */
export function sentenceBoundary(text: string): number | null {
  for (const { index, 0: stop } of text.matchAll(STOP)) {
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
      endsSentence(piece, after.trimStart().slice(0, 24))
    ) {
      return end + citations.length;
    }
  }
  return null;
}
