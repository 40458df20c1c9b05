import { fold } from '../../language/words.ts';
import { valueWords } from './fact-words.ts';

/** A number, a word or a sign of a text. */
export interface FactToken {
  readonly kind: 'number' | 'word' | 'sign';
  /** The text as it is written. */
  readonly raw: string;
  readonly folded: string;
  readonly start: number;
  readonly end: number;
  /** Whether no white space is before it. */
  readonly isAttached: boolean;
}

const TOKEN = /\d+(?:[.,:]\d+)*|\p{L}[\p{L}\p{M}]*(?:[-'’]\p{L}[\p{L}\p{M}]*)*|[^\s\p{L}\d]/gu;
/** A number word before its unit: `two-year`. */
const COMPOUND = /^(\p{L}+)(-)(\p{L}+)$/u;

/** Splits a text into its numbers, words and signs. */
export function splitTokens(text: string): readonly FactToken[] {
  let last = -1;
  const found = Array.from(text.matchAll(TOKEN), ({ 0: raw, index }) => splitCompound(raw, index)).flat();
  return found.map(({ raw, start }) => {
    const end = start + raw.length;
    const isAttached = start === last;
    last = end;
    const kind = /^\d/.test(raw) ? 'number' : /^\p{L}/u.test(raw) ? 'word' : 'sign';
    return { kind, raw, folded: fold(raw).replace('’', "'"), start, end, isAttached };
  });
}

interface Piece {
  readonly raw: string;
  readonly start: number;
}

function splitCompound(raw: string, start: number): readonly Piece[] {
  const [, first = '', dash = '', second = ''] = COMPOUND.exec(raw) ?? [];
  if (!valueWords.numbers.has(fold(first))) return [{ raw, start }];
  return [
    { raw: first, start },
    { raw: dash, start: start + first.length },
    { raw: second, start: start + first.length + 1 },
  ];
}
