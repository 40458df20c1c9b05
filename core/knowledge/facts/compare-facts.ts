import {
  type CalendarDay,
  describeValue,
  type Fact,
  type FactKind,
  type FactValue,
  type Period,
  type UnitFacts,
} from './fact.ts';
import { factRules } from './rules.ts';

/** Two values of the same thing. */
export interface Contradiction {
  readonly kind: FactKind;
  /** The values in their normal form. */
  readonly values: readonly [string, string];
  /** The values as they are written. */
  readonly texts: readonly [string, string];
}

interface Nearness {
  /** The cosine of the vectors of the two units, with the titles of their documents; null if they have none. */
  readonly cosine: number | null;
  /** Counted since 1970. */
  readonly today: number;
}

/** Returns the first fact in which two units contradict each other; null if they do in none. Pure. */
export function compareUnits(one: UnitFacts, other: UnitFacts, near: Nearness): Contradiction | null {
  if (near.cosine !== null && near.cosine < factRules.nearCosine) return null;
  for (const [first, second] of pairFacts(one, other)) {
    if (isSameValue(first.value, second.value)) continue;
    if (first.value.kind === 'date' && isPast(one, near) !== isPast(other, near)) continue;
    if (!isSamePeriod(first.period, second.period, near.today)) continue;
    if (!isSameSubject({ fact: first, unit: one }, { fact: second, unit: other }, near)) continue;
    return {
      kind: first.value.kind,
      values: [describeValue(first.value), describeValue(second.value)],
      texts: [first.value.text, second.value.text],
    };
  }
  return null;
}

/** A page about an earlier time is out of date, and does not contradict the one that took its place. */
function isPast({ lastDay }: UnitFacts, { today }: Nearness): boolean {
  return lastDay !== null && lastDay < today;
}

/**
 * Returns the facts of two units that tell values of one kind. Where both tell several, they are compared in their order,
 * and only if all but one agree: otherwise it is unknown which belongs to which.
 */
function pairFacts(one: UnitFacts, other: UnitFacts): readonly (readonly [Fact, Fact])[] {
  if (one.isRow || other.isRow) {
    return one.facts.flatMap((first) =>
      other.facts
        .filter((second) => isComparable(first.value, second.value))
        .map((second) => [first, second] as const),
    );
  }
  const groups = Map.groupBy(one.facts, ({ value }) => measureOf(value));
  return [...groups].flatMap(([measure, firsts]) => {
    const seconds = other.facts.filter(({ value }) => measureOf(value) === measure);
    if (firsts.length !== seconds.length) return [];
    const pairs = firsts.flatMap((first, index) => {
      const second = seconds[index];
      return second === undefined ? [] : [[first, second] as const];
    });
    const apart = pairs.filter(([first, second]) => !isSameValue(first.value, second.value));
    return apart.length === 1 ? apart : [];
  });
}

/** Returns the measure of a value: days and months are both a duration. */
function measureOf({ kind, unit }: FactValue): string {
  return kind === 'number' ? `${kind} ${unit}` : kind;
}

function isComparable(one: FactValue, other: FactValue): boolean {
  return measureOf(one) === measureOf(other);
}

const HOURS_PER_MONTH = 730.5;
/** Four weeks are a month. */
const MONTH_TOLERANCE = 0.09;

/** Returns whether two values of a kind agree; a range agrees with a part of it. */
export function isSameValue(one: FactValue, other: FactValue): boolean {
  if (one.kind === 'date') return isSameDate(one.days, other.days);
  if (one.kind === 'time') return isSameTime(one, other);
  if (one.unit === other.unit) return one.low <= other.high && other.low <= one.high;
  const [first, second] = [hoursOf(one), hoursOf(other)];
  return first.low <= second.high * (1 + MONTH_TOLERANCE) && second.low <= first.high * (1 + MONTH_TOLERANCE);
}

/** Five working days are a week, or five days for those who do not count exactly. */
function hoursOf({ unit, low, high }: FactValue): { readonly low: number; readonly high: number } {
  if (unit === 'months') return { low: low * HOURS_PER_MONTH, high: high * HOURS_PER_MONTH };
  return unit === 'workdays' ? { low: low * 24, high: (high * 7 * 24) / 5 } : { low, high };
}

function isSameDate(one: readonly CalendarDay[], other: readonly CalendarDay[]): boolean {
  if (one.length === other.length) return one.every((day, index) => isSameDay(day, other[index]));
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.every((day) => long.some((each) => isSameDay(day, each)));
}

function isSameDay(one: CalendarDay, other: CalendarDay | undefined): boolean {
  if (other === undefined) return false;
  const parts = [
    [one.year, other.year],
    [one.month, other.month],
    [one.day, other.day],
  ] as const;
  return parts.every(([first, second]) => first === null || second === null || first === second);
}

/** One time agrees with an end of a range. */
function isSameTime(one: FactValue, other: FactValue): boolean {
  const [isOne, isOther] = [one.low === one.high, other.low === other.high];
  if (isOne === isOther) return one.low === other.low && one.high === other.high;
  const [single, range] = isOne ? [one, other] : [other, one];
  return single.low === range.low || single.low === range.high;
}

/** Returns whether two facts are told of the same time. A fact without a period is told of today. */
function isSamePeriod(one: Period | null, other: Period | null, today: number): boolean {
  if (one === null || other === null) {
    const named = one ?? other;
    if (named === null) return true;
    if (named.season !== '') return false;
    return (named.from ?? today) <= today && (named.to ?? today) >= today;
  }
  return one.from === other.from && one.to === other.to && one.season === other.season;
}

interface Told {
  readonly fact: Fact;
  readonly unit: UnitFacts;
}

/** Returns whether two facts are about the same thing: their words, and those of title and headings where they stand. */
function isSameSubject(one: Told, other: Told, { cosine }: Nearness): boolean {
  const [first, second] = [matchSubject(one, other), matchSubject(other, one)];
  if (first.shared === 0 || second.shared === 0) return false;
  const isPlainRow = one.unit.isRow || other.unit.isRow;
  if (first.isRestricted || second.isRestricted || one.fact.isDenied !== other.fact.isDenied) return false;
  const isRelabelled = first.missing <= 1 && second.missing <= 1 && isOnlyCell(one, other);
  if (isPlainRow && first.missing + second.missing > 0 && !isRelabelled) return false;
  const words = one.fact.subject.length + other.fact.subject.length;
  const share = (words - first.missing - second.missing) / words;
  if (share < (cosine === null ? factRules.unreadShare : factRules.sharedShare)) return false;
  if (first.missing > 0 && second.missing > 0 && formShare(one.fact, other.fact) >= factRules.sameForm)
    return false;
  const telling = Math.max(first.shared + first.placed, second.shared + second.placed);
  const areRows = one.unit.isRow && other.unit.isRow;
  const isNamed = !areRows && (first.isNamed || second.isNamed);
  return !isOtherPlace(one, other, isNamed || telling >= TELLING_WORDS);
}

/** A row with one value tells it about its key, whatever the label says: `Departure: 22:15` and `leaves at 22:15`. */
function isOnlyCell(...told: readonly Told[]): boolean {
  return told.every(({ unit }) => unit.facts.length === 1);
}

interface SubjectMatch {
  /** Words of the subject that are in the other one. */
  readonly shared: number;
  /** Further words that are in the other unit's title and headings. */
  readonly placed: number;
  /** Words that are neither there nor in the other unit's title and headings. */
  readonly missing: number;
  /** Whether one of the missing words tells one of several apart. */
  readonly isRestricted: boolean;
  /** Whether a name or a restriction is in both. */
  readonly isNamed: boolean;
}

function matchSubject({ fact }: Told, other: Told): SubjectMatch {
  const others = other.fact.subject.map(({ key }) => key);
  const around = [...other.unit.path, ...other.fact.aside];
  const has = (keys: readonly string[], key: string) => keys.includes(key);
  const located = new Set(
    fact.subject.flatMap(({ key, phrase }) => (has(others, key) || has(around, key) ? [phrase] : [])),
  );
  let shared = 0;
  let placed = 0;
  let missing = 0;
  let isRestricted = false;
  let isNamed = false;
  for (const { key, isName, isMeasured, phrase, qualifies } of fact.subject) {
    isNamed ||= (isName || phrase > 0) && (has(others, key) || has(around, key));
    if (has(others, key)) shared += 1;
    else if (has(around, key)) placed += 1;
    else {
      missing += 1;
      isRestricted ||= isName || isMeasured || (phrase > 0 && !located.has(phrase));
      isRestricted ||= qualifies !== '' && has(others, qualifies);
    }
  }
  return { shared, placed, missing, isRestricted, isNamed };
}

/** The share of the words of the shorter sentence that the other has too. */
function formShare({ form: one }: Fact, { form: other }: Fact): number {
  const shorter = Math.min(one.length, other.length);
  if (shorter === 0) return 0;
  const left = [...other];
  let common = 0;
  for (const word of one) {
    const at = left.indexOf(word);
    if (at === -1) continue;
    left.splice(at, 1);
    common += 1;
  }
  return common / shorter;
}

/** With fewer words in common, sentences of different titles are about what their titles name. */
const TELLING_WORDS = 4;

/**
 * Returns whether title and headings tell two units apart: those of one series (`Opening hours Berlin`, `Opening hours
 * Hamburg`), or any two whose units hardly say what they are about.
 */
function isOtherPlace(one: Told, other: Told, isTelling: boolean): boolean {
  const [first, second] = [restOfPath(one, other), restOfPath(other, one)];
  if (leansOnPath(one, first) || leansOnPath(other, second)) return true;
  if (first.length === 0 || second.length === 0) return false;
  const isSeries = one.unit.path.some((key) => other.unit.path.includes(key));
  return isSeries || !isTelling;
}

/** Whether a unit leaves it to its title what it is about (`It weighs 31 g.`), and most of that is not the other's subject. */
function leansOnPath({ fact, unit }: Told, rest: readonly string[]): boolean {
  return fact.subject.length <= 1 && rest.length > unit.path.length - rest.length;
}

function restOfPath({ unit }: Told, other: Told): readonly string[] {
  const all = [...other.unit.path, ...other.fact.subject.map(({ key }) => key)];
  return unit.path.filter((key) => !all.includes(key));
}
