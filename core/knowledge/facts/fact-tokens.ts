import { fold } from '../../language/words.ts';
import { valueWords } from './fact-words.ts';

/** A number, a word or a sign of a text. */
export interface FactToken {
  readonly kind: 'number' | 'word' | 'sign';
  /** As it is written. */
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

/** Groups of three digits, or a decimal fraction. */
const GROUPED = /^\d{1,3}(?:[.,]\d{3})+$/;

/**
 * Returns the number that a token writes, in the form of any language: 1,299.00 is 1.299,00. Null for a time, a date or
 * a version. Three digits after a single mark are thousands.
 */
export function parseNumber(text: string): number | null {
  if (text.includes(':')) return null;
  const [comma, dot] = [text.lastIndexOf(','), text.lastIndexOf('.')];
  if (comma === -1 && dot === -1) return Number(text);
  const decimal = Math.max(comma, dot);
  const hasBoth = comma !== -1 && dot !== -1;
  if (!hasBoth && GROUPED.test(text) && !text.startsWith('0')) return Number(text.replace(/[.,]/g, ''));
  const whole = text.slice(0, decimal).replace(/[.,]/g, '');
  const marks = text.slice(0, decimal).match(/[.,]/g)?.length ?? 0;
  if (!hasBoth && marks > 0) return null;
  return Number(`${whole}.${text.slice(decimal + 1)}`);
}
