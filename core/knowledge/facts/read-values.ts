import { clockWords, findCurrency, parseNumber, units } from '../../language/quantity-words.ts';
import type { FactValue } from './fact.ts';
import type { FactToken } from './fact-tokens.ts';
import { type SubjectWords, valueWords } from './fact-words.ts';
import { type Read, readDate, readSingleYear } from './read-dates.ts';

/** A value with its tokens: from `from` up to but excluding `next`. The noun that a number counts is no part of it. */
export interface PlacedValue {
  readonly value: FactValue;
  readonly from: number;
  readonly next: number;
}

type Written = Omit<FactValue, 'text'>;

const none = { days: [] } as const;

/** Reads the values of a text in their order. */
export function readValues(
  text: string,
  tokens: readonly FactToken[],
  words: Pick<SubjectWords, 'key' | 'isPlain'>,
): readonly PlacedValue[] {
  const found: PlacedValue[] = [];
  for (let at = 0; at < tokens.length; ) {
    const read = readDates(tokens, at) ?? readTimes(tokens, at) ?? readQuantity(tokens, at, words);
    const [first, last] = [tokens[at], tokens[(read?.next ?? 0) - 1]];
    if (read === null || first === undefined || last === undefined) {
      at += 1;
      continue;
    }
    found.push({
      value: { ...read.value, text: text.slice(first.start, last.end) },
      from: at,
      next: read.next,
    });
    at = read.next;
  }
  return found;
}

const DASHES = new Set(['-', '–', '—']);

/** Returns the place after the word or sign between two ends of a range; null if there is none. */
function afterRange(tokens: readonly FactToken[], at: number): number | null {
  const token = tokens[at];
  if (token === undefined) return null;
  if (!DASHES.has(token.raw) && !valueWords.to.has(token.folded)) return null;
  let next = at + 1;
  while (next < at + 3 && valueWords.fillers.has(tokens[next]?.folded ?? '')) next += 1;
  return next;
}

function readDates(tokens: readonly FactToken[], at: number): Read<Written> | null {
  const first = readDate(tokens, at) ?? readSingleYear(tokens, at);
  if (first === null) return readDayRange(tokens, at);
  const from = afterRange(tokens, first.next);
  const second = from === null ? null : (readDate(tokens, from) ?? readSingleYear(tokens, from));
  const days = second === null ? [first.value] : [first.value, second.value];
  return { value: { kind: 'date', unit: '', low: 0, high: 0, days }, next: second?.next ?? first.next };
}

/** `3 to 28 February 2026` */
function readDayRange(tokens: readonly FactToken[], at: number): Read<Written> | null {
  const day = /^\d{1,2}$/.test(tokens[at]?.raw ?? '') ? Number(tokens[at]?.raw) : 0;
  const dotted = tokens[at + 1]?.raw === '.' ? at + 2 : at + 1;
  const from = day >= 1 && day <= 31 ? afterRange(tokens, dotted) : null;
  const second = from === null ? null : readDate(tokens, from);
  if (second === null || second.value.day === null || second.value.day <= day) return null;
  const days = [{ ...second.value, day }, second.value];
  return { value: { kind: 'date', unit: '', low: 0, high: 0, days }, next: second.next };
}

interface Clock {
  readonly minutes: number;
  /** Whether it is written as a time: an hour alone is not. */
  readonly isMarked: boolean;
}

const NOON = 12 * 60;

function readTimes(tokens: readonly FactToken[], at: number): Read<Written> | null {
  const first = readClock(tokens, at);
  if (first === null) return null;
  const from = afterRange(tokens, first.next);
  const second = from === null ? null : readClock(tokens, from);
  const isRange = second !== null && (second.value.isMarked || first.value.isMarked);
  if (!first.value.isMarked && !(isRange && second.value.isMarked)) return null;
  const [low, high] = [first.value.minutes, isRange ? second.value.minutes : first.value.minutes];
  return { value: { kind: 'time', unit: '', low, high, ...none }, next: isRange ? second.next : first.next };
}

function readClock(tokens: readonly FactToken[], at: number): Read<Clock> | null {
  const token = tokens[at];
  if (token === undefined) return null;
  if (token.kind === 'word' && valueWords.noon.has(token.folded))
    return { value: { minutes: NOON, isMarked: true }, next: at + 1 };
  const parts = /^(\d{1,2})(?:([.:])(\d{2}))?$/.exec(token.raw);
  if (parts === null) return null;
  const [, hours = '', mark, minutes = '0'] = parts;
  const half = readHalf(tokens, at + 1);
  const isClock = half === null && clockWords.has(tokens[at + 1]?.folded ?? '');
  const isMarked = mark === ':' || half !== null || isClock;
  if (Number(hours) > 24 || Number(minutes) > 59 || (mark === '.' && !isMarked)) return null;
  const hour = half === null ? Number(hours) : (Number(hours) % 12) + (half.value === 'pm' ? 12 : 0);
  const next = half?.next ?? (isClock ? at + 2 : at + 1);
  return { value: { minutes: hour * 60 + Number(minutes), isMarked }, next };
}

/** `am`, `pm`, `a.m.` or `p.m.` */
function readHalf(tokens: readonly FactToken[], at: number): Read<'am' | 'pm'> | null {
  const word = tokens[at]?.folded;
  if (word === 'pm' || (word === 'am' && isEnglishMorning(tokens, at))) return { value: word, next: at + 1 };
  if ((word !== 'a' && word !== 'p') || tokens[at + 1]?.raw !== '.' || tokens[at + 2]?.folded !== 'm')
    return null;
  const isClosed = tokens[at + 3]?.raw === '.' && tokens[at + 3]?.isAttached === true;
  return { value: word === 'a' ? 'am' : 'pm', next: at + (isClosed ? 4 : 3) };
}

/** In German, `9 am Montag` has a preposition. */
function isEnglishMorning(tokens: readonly FactToken[], at: number): boolean {
  return tokens[at]?.isAttached === true || !/^\p{Lu}/u.test(tokens[at + 1]?.raw ?? '');
}

interface Amount {
  readonly value: number;
  readonly next: number;
}

function readQuantity(
  tokens: readonly FactToken[],
  at: number,
  words: Pick<SubjectWords, 'key' | 'isPlain'>,
): Read<Written> | null {
  const token = tokens[at];
  if (token === undefined || isName(tokens, at)) return null;
  const currency = findCurrency(token.folded);
  const start = currency !== null && tokens[at + 1]?.kind === 'number' ? at + 1 : at;
  const first = readAmount(tokens, start);
  if (first === null) return null;
  const from = afterRange(tokens, first.next);
  const second = from === null ? null : readAmount(tokens, from);
  const last = second ?? first;
  const ends = { low: first.value, high: last.value };
  if (start > at)
    return { value: { kind: 'number', unit: currency ?? '', ...ends, ...none }, next: last.next };
  const unit = readUnit(tokens, last.next, words);
  const isWord = token.kind === 'word';
  // `one` alone is mostly a pronoun.
  if (isWord && (unit === null || (unit.kind === 'number' && first.value === 1))) return null;
  if (unit === null) {
    return second !== null && !DASHES.has(tokens[first.next]?.raw ?? '')
      ? {
          value: { kind: 'number', unit: '', low: first.value, high: first.value, ...none },
          next: first.next,
        }
      : { value: { kind: 'number', unit: '', ...ends, ...none }, next: last.next };
  }
  const { kind, name, amount, next } = unit;
  // Without the noise of fractions: 90 minutes are 1.5 hours.
  const scaled = (value: number) => Math.round(value * amount * 10_000) / 10_000;
  return { value: { kind, unit: name, low: scaled(ends.low), high: scaled(ends.high), ...none }, next };
}

/** Whether a number names something rather than counting: a model, a version, a phone number, the place in a list. */
function isName(tokens: readonly FactToken[], at: number): boolean {
  const [before, token, after] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (token?.kind !== 'number') return false;
  if (at === 0 && (after?.raw === '.' || after?.raw === ')') && after.isAttached && tokens.length > 2)
    return tokens[2]?.isAttached === false;
  if (after?.kind === 'number' && !isGroup(token, after)) return true;
  if (before === undefined) return /^\d{7,}$/.test(token.raw);
  if (before.kind === 'number') return true;
  if (valueWords.numbered.has(before.folded) || /^[#§+/]$/.test(before.raw)) return true;
  if (before.raw === '.' && valueWords.numbered.has(tokens[at - 2]?.folded ?? '')) return true;
  return (before.kind === 'word' && token.isAttached) || /^\d{7,}$/.test(token.raw);
}

function readAmount(tokens: readonly FactToken[], at: number): Amount | null {
  const token = tokens[at];
  if (token === undefined) return null;
  if (token.kind === 'word') {
    const value = valueWords.numbers.get(token.folded);
    return value === undefined ? null : { value, next: at + 1 };
  }
  if (token.kind !== 'number') return null;
  const second = tokens[at + 1];
  const grouped =
    second !== undefined && isGroup(token, second) ? parseNumber(`${token.raw}${second.raw}`) : null;
  if (grouped !== null) return { value: grouped, next: at + 2 };
  const value = parseNumber(token.raw);
  if (value === null) return null;
  // Whole amounts of money may end with a dash: 5,-
  const [comma, dash] = [tokens[at + 1], tokens[at + 2]];
  const isWhole = comma?.raw === ',' && comma.isAttached && DASHES.has(dash?.raw ?? '');
  return { value, next: isWhole ? at + 3 : at + 1 };
}

/** `1 299,00`: thousands with a space. */
function isGroup(token: FactToken, next: FactToken): boolean {
  const isThousands = /^\d{1,3}$/.test(token.raw) && /^\d{3}(?:[.,]\d{1,2})?$/.test(next.raw);
  return isThousands && next.start - token.end === 1;
}

interface Unit {
  readonly kind: 'number' | 'duration' | 'percent';
  readonly name: string;
  /** How many of the named unit it is. */
  readonly amount: number;
  readonly next: number;
}

function readUnit(
  tokens: readonly FactToken[],
  at: number,
  { key, isPlain }: Pick<SubjectWords, 'key' | 'isPlain'>,
): Unit | null {
  const isHyphen = DASHES.has(tokens[at]?.raw ?? '') && tokens[at]?.isAttached === true;
  const place = isHyphen && tokens[at + 1]?.isAttached === true ? at + 1 : at;
  const token = tokens[place];
  if (token === undefined) return null;
  const word = token.folded;
  const next = place + 1;
  const following = tokens[next]?.folded ?? '';
  if (valueWords.workdayAdjectives.has(word) && isDay(following))
    return { kind: 'duration', name: 'workdays', amount: 1, next: next + 1 };
  const written = word === '°' ? `°${following}` : word;
  const unit = units.get(written);
  if (unit !== undefined) {
    const { kind, name, amount } = unit;
    const end = next + (written.length > word.length ? 1 : 0);
    if (kind === 'percent') return { kind, name: '', amount, next: end };
    return { kind: kind === 'duration' ? kind : 'number', name, amount, next: end };
  }
  if (token.kind !== 'word' || isHyphen || (place === at && token.isAttached)) return null;
  return isPlain(word) ? null : { kind: 'number', name: key(word), amount: 1, next: at };
}

function isDay(word: string): boolean {
  const unit = units.get(word);
  return unit?.name === 'hours' && unit.amount === 24;
}
