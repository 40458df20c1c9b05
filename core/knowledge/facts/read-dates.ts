import { units } from '../../language/quantity-words.ts';
import type { CalendarDay } from './fact.ts';
import type { FactToken } from './fact-tokens.ts';
import { valueWords } from './fact-words.ts';

/** Something that was read from tokens, up to but excluding the token `next`. */
export interface Read<Value> {
  readonly value: Value;
  readonly next: number;
}

const ORDINALS = new Set(['st', 'nd', 'rd', 'th', 'er', 'º']);
const MONTHS = 12;

/** Reads a date from the token at `at`: `3 May 2026`, `May 3rd`, `03.05.2026`, `2026-05-03`, `May 2026`. */
export function readDate(tokens: readonly FactToken[], at: number): Read<CalendarDay> | null {
  return readIsoDate(tokens, at) ?? readDottedDate(tokens, at) ?? readNamedDate(tokens, at);
}

function wholeNumber(token: FactToken | undefined, digits: number): number | null {
  if (token === undefined || token.kind !== 'number' || token.raw.length > digits) return null;
  return /^\d+$/.test(token.raw) ? Number(token.raw) : null;
}

function readYear(token: FactToken | undefined): number | null {
  const year = token?.raw.length === 4 ? wholeNumber(token, 4) : null;
  return year !== null && year >= 1900 && year <= 2100 ? year : null;
}

function toDay(year: number | null, month: number, day: number): CalendarDay | null {
  return month >= 1 && month <= MONTHS && day >= 1 && day <= 31 ? { year, month, day } : null;
}

/** `2026-05-03`, and `31/08/2026` where the order of day and month is certain. */
function readIsoDate(tokens: readonly FactToken[], at: number): Read<CalendarDay> | null {
  const [first, sign, second, again, third] = tokens.slice(at, at + 5);
  if (sign === undefined || !sign.isAttached || again?.raw !== sign.raw || third?.isAttached !== true)
    return null;
  const middle = wholeNumber(second, 2);
  if (middle === null) return null;
  if (sign.raw === '-') {
    const [year, last] = [readYear(first), wholeNumber(third, 2)];
    const day = year === null || last === null ? null : toDay(year, middle, last);
    return day === null ? null : { value: day, next: at + 5 };
  }
  const [one, year] = [wholeNumber(first, 2), readYear(third)];
  if (sign.raw !== '/' || one === null || year === null) return null;
  if (one <= MONTHS && middle <= MONTHS && one !== middle) return null;
  const day = one > MONTHS ? toDay(year, middle, one) : toDay(year, one, middle);
  return day === null ? null : { value: day, next: at + 5 };
}

/** `03.05.2026`, `3.5.2026` and `03.05.` */
function readDottedDate(tokens: readonly FactToken[], at: number): Read<CalendarDay> | null {
  const token = tokens[at];
  if (token === undefined || token.kind !== 'number' || /[,:]/.test(token.raw)) return null;
  const [day = '', month, year, rest] = token.raw.split('.');
  if (month === undefined || rest !== undefined || day.length > 2 || month.length > 2) return null;
  if (year !== undefined) {
    const value = year.length === 4 ? toDay(Number(year), Number(month), Number(day)) : null;
    return value === null ? null : { value, next: at + 1 };
  }
  const dot = tokens[at + 1];
  if (dot?.raw !== '.' || !dot.isAttached || day.length + month.length < 3 || month.length < 2) return null;
  const found = tokens[at + 2];
  const written = found?.isAttached === true ? null : readYear(found);
  const value = toDay(written, Number(month), Number(day));
  return value === null ? null : { value, next: at + (written === null ? 2 : 3) };
}

/** Reads a date with the name of the month, before or after the day. */
function readNamedDate(tokens: readonly FactToken[], at: number): Read<CalendarDay> | null {
  const first = tokens[at];
  if (first?.kind === 'word') return readMonthFirst(tokens, at);
  const day = wholeNumber(first, 2);
  if (day === null) return null;
  let next = at + 1;
  if (ORDINALS.has(tokens[next]?.folded ?? '') || tokens[next]?.raw === '.') next += 1;
  if (['of', 'de', 'the'].includes(tokens[next]?.folded ?? '')) next += 1;
  const month = valueWords.months.get(tokens[next]?.folded ?? '');
  const value = month === undefined ? null : toDay(null, month, day);
  return value === null ? null : withYear(tokens, next + 1, value);
}

function readMonthFirst(tokens: readonly FactToken[], at: number): Read<CalendarDay> | null {
  const month = valueWords.months.get(tokens[at]?.folded ?? '');
  if (month === undefined) return null;
  let next = at + 1;
  if (tokens[next]?.raw === '.') next += 1;
  const year = readYear(tokens[next]);
  if (year !== null) return { value: { year, month, day: null }, next: next + 1 };
  const day = wholeNumber(tokens[next], 2);
  const value = day === null ? null : toDay(null, month, day);
  if (value === null) return null;
  next += 1;
  if (ORDINALS.has(tokens[next]?.folded ?? '') && tokens[next]?.isAttached === true) next += 1;
  return withYear(tokens, next, value);
}

/** Reads the year after a day. */
function withYear(tokens: readonly FactToken[], at: number, day: CalendarDay): Read<CalendarDay> {
  let next = at;
  if (['.', ',', 'de'].includes(tokens[next]?.folded ?? '')) next += 1;
  const year = readYear(tokens[next]);
  return year === null ? { value: day, next: at } : { value: { ...day, year }, next: next + 1 };
}

/** Reads a year that stands alone, after a word such as `in` or `until` or where nothing is counted. */
export function readSingleYear(tokens: readonly FactToken[], at: number): Read<CalendarDay> | null {
  const year = readYear(tokens[at]);
  if (year === null) return null;
  const { until, since, during } = valueWords;
  const before = tokens[at - 1]?.folded ?? '';
  const after = tokens[at + 1];
  const isLed = until.has(before) || since.has(before) || during.has(before);
  if (!isLed && after?.kind === 'word' && !isBetween(after.folded)) return null;
  if (after?.kind === 'sign' && units.has(after.folded)) return null;
  return { value: { year, month: null, day: null }, next: at + 1 };
}

function isBetween(word: string): boolean {
  return valueWords.to.has(word) || valueWords.until.has(word);
}
