import {
  clockWords,
  freeWords,
  numberWords,
  parseNumber,
  type Unit,
  units,
  wordsForOne,
} from '../../language/quantity-words.ts';
import { fold } from '../../language/words.ts';

/** A number of a text with its unit, or a code with digits, in a form that is the same for every notation. */
export interface Quantity {
  /** The text as it is written, with the unit after it. */
  readonly text: string;
  /** The number without its unit; the code itself. Times count minutes from midnight. */
  readonly value: number | string;
  /** The thing that the number counts; empty if the text does not name it. */
  readonly unit: string;
  /** The number in the smallest unit of its kind: 24 months are two years. */
  readonly amount: number;
  /** Whether it is written as a word. */
  readonly isWord: boolean;
}

const CURRENCIES: ReadonlySet<string> = new Set(
  Array.from(units.values()).flatMap(({ kind, name }) => (kind === 'money' ? [name] : [])),
);

const TOKEN = /\p{Nd}+(?:[.,:'’\u00a0\u202f]\p{Nd}+)*|\p{L}[\p{L}\p{M}]*|[%€$£¥]/gu;
const DIGIT = /^\p{Nd}/u;
/** How many words may stand between a number and its unit: `30 working days`. */
const UNIT_DISTANCE = 2;
const ORDINAL = /^(?:st|nd|rd|th|e|er|º)$/u;
const LIST_MARKER = /^\s*(?:[-*•]\s+)?(?:\(?\d{1,3}[.)]\s+)?/u;

interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly isNumber: boolean;
}

/** Returns the quantities of a text in order. The number of a list item is none. */
export function parseQuantities(text: string): readonly Quantity[] {
  const folded = fold(text.replace(LIST_MARKER, ''));
  const tokens = Array.from(folded.matchAll(TOKEN), ({ 0: found, index }) => ({
    text: found,
    start: index,
    end: index + found.length,
    isNumber: DIGIT.test(found),
  }));
  const found: Quantity[] = [];
  for (let at = 0; at < tokens.length; ) {
    const read = readQuantity(tokens, at);
    if (read === null) at += 1;
    else {
      found.push(read.quantity);
      at = read.next;
    }
  }
  return found;
}

/** Whether two quantities may be the same. If one of them has no unit, the numbers decide. */
export function isSameQuantity(one: Quantity, other: Quantity): boolean {
  if (typeof one.value === 'string' || typeof other.value === 'string') return one.value === other.value;
  if (one.unit !== '' && other.unit !== '')
    return one.unit === other.unit && isNear(one.amount, other.amount);
  return isNear(one.value, other.value) || isHour(one, other) || isHour(other, one);
}

/** Whether two quantities answer the same question: `free` is a price. */
export function areComparable(one: Quantity, other: Quantity): boolean {
  const kindOf = ({ unit }: Quantity) => (CURRENCIES.has(unit) || unit === 'free' ? 'price' : unit);
  return kindOf(one) === kindOf(other) && one.unit !== 'code';
}

/** `open from 9 to 17:00` */
function isHour(time: Quantity, hour: Quantity): boolean {
  return time.unit === 'clock' && hour.unit === '' && isNear(time.amount, Number(hour.value) * 60);
}

function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) < 1e-6;
}

interface Read {
  readonly quantity: Quantity;
  /** The token after it. */
  readonly next: number;
}

function readQuantity(tokens: readonly Token[], at: number): Read | null {
  const token = tokens[at];
  if (token === undefined) return null;
  if (!token.isNumber) return readNumberWord(tokens, at);
  const code = readCode(tokens, at);
  if (code !== null) return code;
  const time = readTime(tokens, at);
  if (time !== null) return time;
  const written = token.text.replaceAll(/['’\u00a0\u202f]/gu, '');
  const value = parseNumber(written);
  if (value === null)
    return { quantity: { ...plain, text: token.text, value: written, unit: 'code' }, next: at + 1 };
  return { quantity: withUnit(tokens, { at, from: at + 1, value, isWord: false }), next: at + 1 };
}

const plain = { amount: 0, isWord: false, unit: '' };

/** Letters and digits without a space: `E42`, `WPA2`, `3d`; but not `10GB`, `3rd`, or a number after a word such as `EUR`. */
function readCode(tokens: readonly Token[], at: number): Read | null {
  const token = tokens[at];
  const before = tokens[at - 1];
  const after = tokens[at + 1];
  if (token === undefined) return null;
  const isCoded = before?.end === token.start && !before.isNumber && !units.has(before.text);
  const isExtended =
    after?.start === token.end && !units.has(after.text) && !ORDINAL.test(after.text) && !isTimeWord(after);
  if (!isCoded && !isExtended) return null;
  const value = `${isCoded ? before.text : ''}${token.text}${isExtended ? after.text : ''}`;
  return { quantity: { ...plain, text: value, value, unit: 'code' }, next: at + (isExtended ? 2 : 1) };
}

function isTimeWord({ text }: Token): boolean {
  return text === 'am' || text === 'pm' || text === 'h' || clockWords.has(text);
}

const TIME = /^(\d{1,2})[:.](\d{2})$/u;

/** `14:30`, `2.30 pm`, `9 a.m.`, `14 Uhr 30`, `14 h 30`; without minutes, `14 h` is a duration. */
function readTime(tokens: readonly Token[], at: number): Read | null {
  const [token, mark, second] = tokens.slice(at, at + 3);
  if (token === undefined) return null;
  const [, written = token.text, minutes = '0'] = TIME.exec(token.text) ?? [];
  const hour = Number(written);
  if (!Number.isInteger(hour) || hour > 24) return null;
  const half = [mark?.text ?? '', `${mark?.text}${second?.text}`].find(
    (text) => text === 'am' || text === 'pm',
  );
  if (half !== undefined) {
    const next = at + (mark?.text.length === 1 ? 3 : 2);
    return { quantity: timeOf(token.text, (hour % 12) + (half === 'pm' ? 12 : 0), Number(minutes)), next };
  }
  if (clockWords.has(mark?.text ?? '')) {
    const after = MINUTES.exec(second?.text ?? '')?.[0];
    if (after !== undefined) return { quantity: timeOf(token.text, hour, Number(after)), next: at + 3 };
    if (!units.has(mark?.text ?? ''))
      return { quantity: timeOf(token.text, hour, Number(minutes)), next: at + 2 };
  }
  if (!token.text.includes(':') || !TIME.test(token.text)) return null;
  return { quantity: timeOf(token.text, hour, Number(minutes)), next: at + 1 };
}

const MINUTES = /^\d{2}$/u;

function timeOf(text: string, hour: number, minute: number): Quantity {
  const amount = hour * 60 + minute;
  return { text, value: amount, unit: 'clock', amount, isWord: false };
}

function readNumberWord(tokens: readonly Token[], at: number): Read | null {
  const [{ text } = { text: '' }, next] = tokens.slice(at, at + 2);
  const value = numberWords.get(text);
  if (freeWords.has(text))
    return { quantity: { text, value: 0, unit: 'free', amount: 0, isWord: true }, next: at + 1 };
  if (value === undefined) {
    const isOne = wordsForOne.has(text) && next !== undefined && units.has(next.text);
    return isOne
      ? { quantity: withUnit(tokens, { at, from: at + 1, value: 1, isWord: true }), next: at + 1 }
      : null;
  }
  // `twenty-five`
  const ones = value >= 20 && value < 100 ? numberWords.get(next?.text ?? '') : undefined;
  const isSum = ones !== undefined && ones < 10;
  const from = at + (isSum ? 2 : 1);
  return {
    quantity: withUnit(tokens, { at, from, value: value + (isSum ? ones : 0), isWord: true }),
    next: from,
  };
}

interface Counted {
  /** The place of the number. */
  readonly at: number;
  /** The place after it. */
  readonly from: number;
  readonly value: number;
  readonly isWord: boolean;
}

/** Finds the unit before or after a number; the first number of `3 to 5 days` has that of the second. */
function withUnit(tokens: readonly Token[], { at, from, value, isWord }: Counted): Quantity {
  const after = tokens.slice(from, from + UNIT_DISTANCE + 1).find((token) => units.has(token.text));
  const text = `${tokens[at]?.text ?? ''} ${after?.text ?? ''}`.trimEnd();
  const before = tokens[at - 1];
  const symbol = before === undefined || UNIT_WORD.test(before.text) ? undefined : units.get(before.text);
  const unit = symbol ?? findUnit(tokens, from, UNIT_DISTANCE) ?? noUnit;
  const { name, amount } = unit.name === 'workdays' ? workday : unit;
  return { text, value, unit: name, amount: value * amount, isWord };
}

const noUnit = { name: '', amount: 1 };
/** An answer need not say that the days are those of work. */
const workday = { name: 'hours', amount: 24 };
/** A unit that stands only after its number. */
const UNIT_WORD = /^(?!(?:eur|usd|gbp|chf)$)\p{L}/u;

function findUnit(tokens: readonly Token[], from: number, distance: number): Unit | undefined {
  for (const [index, { text, isNumber }] of tokens.slice(from, from + distance + 1).entries()) {
    const unit = units.get(text);
    if (unit !== undefined) return unit;
    if (!isNumber && !numberWords.has(text)) continue;
    const isRange = index === 0 || (index === 1 && (tokens[from]?.text.length ?? 0) <= RANGE_WORD);
    return isRange && distance > 0 ? findUnit(tokens, from + index + 1, 0) : undefined;
  }
  return undefined;
}

/** The longest word between the numbers of a range: `to`, `bis`. */
const RANGE_WORD = 3;
