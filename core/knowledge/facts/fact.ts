/** The kinds of values. `yes-no` is whether something is so. */
export const factKinds = ['number', 'date', 'time', 'duration', 'percent', 'yes-no'] as const;

export type FactKind = (typeof factKinds)[number];

/** A day of the calendar; a part that the text leaves out is null. */
export interface CalendarDay {
  readonly year: number | null;
  /** From 1. */
  readonly month: number | null;
  readonly day: number | null;
}

/** A value in a text. A range has two ends. */
export interface FactValue {
  readonly kind: FactKind;
  /**
   * The unit of the numbers: a currency (ISO 4217), a unit of measure, the stem of a counted noun, `hours`, `months` or
   * `workdays` of a duration. Empty for a number alone.
   */
  readonly unit: string;
  /** Times in minutes after midnight; 1 and 0 for yes and no. */
  readonly low: number;
  readonly high: number;
  /** The days of a date; empty for other kinds. */
  readonly days: readonly CalendarDay[];
  /** As it is written. */
  readonly text: string;
}

/** When something is so. Days are counted since 1970; null is open. Without a year, `season` tells it apart. */
export interface Period {
  readonly from: number | null;
  readonly to: number | null;
  readonly season: string;
}

/** One fact of a unit of a passage. */
export interface Fact {
  readonly value: FactValue;
  /** Keys of the words that it is about, without those of the value. */
  readonly subject: readonly SubjectWord[];
  /** Keys of words that the subject of another fact may have, such as the label of a table's first column. */
  readonly aside: readonly string[];
  /** All words around the value, in order: two sentences of the same form are about different things. */
  readonly form: readonly string[];
  /** Whether the sentence has a negation beside the value: `without a reservation`. */
  readonly isDenied: boolean;
  /** Null if no period is named. */
  readonly period: Period | null;
}

/** A word of a subject, by its stem. */
export interface SubjectWord {
  readonly key: string;
  /** Whether it tells one of several apart, whatever stands around it: a name, the key of a row. */
  readonly isName: boolean;
  /** Whether it names what the value measures, or is the second part of a name. */
  readonly isMeasured: boolean;
  /** Words after the same preposition have the same number (`for members of clubs`); 0 for others. */
  readonly phrase: number;
  /** The key of the word that it stands before, as an adjective does; empty if it does not. */
  readonly qualifies: string;
}

/** The facts of a sentence, an item or a row. */
export interface UnitFacts {
  readonly text: string;
  readonly isRow: boolean;
  readonly facts: readonly Fact[];
  /** Keys of the words of title and headings. */
  readonly path: readonly string[];
  /** The day after which the unit is out of date, counted since 1970; null if it names none. */
  readonly lastDay: number | null;
}

const DAY_MS = 24 * 3_600_000;

/** Returns the number of a day since 1970, in UTC. */
export function toDayNumber(at: Date): number {
  return Math.floor(at.getTime() / DAY_MS);
}

/** Returns the first or the last day of what is named; null without a year. */
export function boundDay({ year, month, day }: CalendarDay, end: 'first' | 'last'): number | null {
  if (year === null) return null;
  if (end === 'first') return toDayNumber(new Date(Date.UTC(year, (month ?? 1) - 1, day ?? 1)));
  if (day !== null) return toDayNumber(new Date(Date.UTC(year, (month ?? 1) - 1, day)));
  return toDayNumber(new Date(Date.UTC(year, month ?? 12, 0)));
}

/** Returns a value in its normal form, in which equal values are equal. */
export function describeValue({ kind, unit, low, high, days }: FactValue): string {
  if (kind === 'yes-no') return low === 1 ? 'yes' : 'no';
  if (kind === 'date') return days.map(describeDay).join('/');
  const [first, last] = [low, high].map((one) => (kind === 'time' ? describeTime(one) : String(one)));
  const range = first === last ? first : `${first}-${last}`;
  if (kind === 'percent') return `${range} %`;
  return unit === '' ? `${range}` : `${range} ${unit}`;
}

export function describeDay({ year, month, day }: CalendarDay): string {
  const two = (value: number | null) => (value === null ? '' : `-${String(value).padStart(2, '0')}`);
  return `${year ?? '-'}${two(month)}${two(day)}`;
}

function describeTime(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
}
