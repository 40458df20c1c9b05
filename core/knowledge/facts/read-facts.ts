import { detectLanguage } from '../../language/language.ts';
import { findCurrency } from '../../language/quantity-words.ts';
import type { PassageUnit } from '../passage-units.ts';
import {
  boundDay,
  type Fact,
  type FactValue,
  type Period,
  type SubjectWord,
  type UnitFacts,
} from './fact.ts';
import { type FactToken, splitTokens } from './fact-tokens.ts';
import { findSubjectWords, type SubjectWords, valueWords } from './fact-words.ts';
import { isNegation, readPolarity } from './read-polarity.ts';
import { type PlacedValue, readValues } from './read-values.ts';

interface PassageOfUnits {
  readonly title: string;
  readonly headings: readonly string[];
  readonly body: string;
}

/** A longer unit is running text of its own, whose words are about many things. */
const MAX_UNIT_CHARACTERS = 600;

/** Reads the facts of each of a passage's units, in their order. Pure. */
export function readFacts(
  { title, headings, body }: PassageOfUnits,
  units: readonly PassageUnit[],
): readonly UnitFacts[] {
  const words = findSubjectWords(detectLanguage(body).code);
  const heads = [title, ...headings].map((head) => splitTokens(head.slice(0, MAX_UNIT_CHARACTERS)));
  const path = [...new Set(heads.flatMap((tokens) => plainKeys(tokens, words)))];
  const yearOfPath = heads
    .map((tokens) => readPeriod(tokens, readValues('', tokens, words)))
    .findLast(isPeriod);
  return units.map((unit) => {
    const empty = { text: unit.text, isRow: unit.row !== null, path, facts: [], lastDay: null };
    if (unit.kind === 'code' || unit.text.length > MAX_UNIT_CHARACTERS) return empty;
    const read = unit.row === null ? readSentence(unit.text, words) : readRow(unit, words);
    const facts = read.facts.map((fact) => ({ ...fact, period: fact.period ?? yearOfPath ?? null }));
    return { ...empty, facts, lastDay: read.lastDay };
  });
}

type ReadUnit = Pick<UnitFacts, 'facts' | 'lastDay'>;

function readSentence(text: string, words: SubjectWords): ReadUnit {
  const tokens = splitTokens(text);
  const values = readValues(text, tokens, words);
  const period = readPeriod(tokens, values);
  const others = values.filter(({ value }) => value.kind !== 'date');
  // A date beside another value tells when that is so. Alone it is what the sentence tells.
  const told = others.length > 0 ? others.concat(values.filter((one) => isOpenDate(tokens, one))) : values;
  const subject = readSubject(tokens, values, words);
  const form = readForm(tokens, values);
  const isDenied = values.length > 0 && tokens.some((_, at) => isNegation(tokens, at, words));
  const facts: Fact[] = told.map(({ value }) => {
    return { value, subject, form, aside: [], isDenied, period: value.kind === 'date' ? null : period };
  });
  const polarity = values.length === 0 ? readPolarity(tokens, words) : null;
  if (polarity !== null) {
    const value: FactValue = { ...yesNo(polarity.isSo), text: polarity.text };
    facts.push({ value, subject, form, aside: [], isDenied, period });
  }
  return { facts, lastDay: readLastDay(tokens, values) };
}

function yesNo(isSo: boolean): Omit<FactValue, 'text'> {
  return { kind: 'yes-no', unit: '', low: isSo ? 1 : 0, high: isSo ? 1 : 0, days: [] };
}

/** Each cell is a fact about the row's first cell and the label of its column. */
function readRow({ row }: PassageUnit, words: SubjectWords): ReadUnit {
  if (row === null) return { facts: [], lastDay: null };
  const [name = '', ...cells] = row.cells;
  const nameTokens = splitTokens(name);
  const nameWords = readSubject(nameTokens, [], words);
  const aside = plainKeys(splitTokens(row.labels[0] ?? ''), words);
  const facts: Fact[] = [];
  const periods: (Period | null)[] = [];
  let lastDay: number | null = null;
  for (const [index, cell] of cells.entries()) {
    const label = splitTokens(row.labels[index + 1] ?? '');
    const tokens = splitTokens(cell);
    const values = readValues(cell, tokens, words);
    periods.push(readPeriod(tokens, values));
    lastDay = readLastDay(tokens, values) ?? lastDay;
    const isSo = values.length === 0 ? readAnswer(tokens) : null;
    const inCell = isSo === null ? readSubject(tokens, values, words) : [];
    const about = [...nameWords, ...readSubject(label, [], words), ...inCell];
    const named = new Set(nameWords.map(({ key }) => key));
    const subject = about.map(({ key }) => {
      return { key, isName: named.has(key), isMeasured: false, phrase: 0, qualifies: '' };
    });
    const period = readPeriod(label, readValues('', label, words));
    const unit = values.length === 1 ? readLabelUnit(row.labels[index + 1] ?? '', label, words) : null;
    for (const { value } of values) {
      const counted =
        value.kind === 'number' && value.unit === '' && unit !== null ? { ...value, ...unit } : value;
      facts.push({ value: counted, subject, form: [], aside, isDenied: false, period });
    }
    if (isSo !== null)
      facts.push({
        value: { ...yesNo(isSo), text: cell },
        subject,
        form: [],
        aside,
        isDenied: false,
        period,
      });
  }
  const ofRow = periods.find((period) => period !== null && facts.some(({ value }) => value.kind !== 'date'));
  return {
    facts: facts.map((fact) => ({
      ...fact,
      period: fact.period ?? (fact.value.kind === 'date' ? null : ofRow) ?? null,
    })),
    lastDay,
  };
}

/** `Price (EUR)`, `Warranty in months`: the unit of the numbers of a column. */
function readLabelUnit(
  label: string,
  tokens: readonly FactToken[],
  words: SubjectWords,
): Pick<FactValue, 'kind' | 'unit'> | null {
  for (const { folded } of tokens) {
    const currency = findCurrency(folded);
    if (currency !== null) return { kind: 'number', unit: currency };
  }
  const last = tokens.findLast(({ kind }) => kind === 'word');
  if (last === undefined) return null;
  const [read] = readValues(`1 ${label}`, splitTokens(`1 ${last.raw}`), words);
  return read === undefined || read.value.kind !== 'percent' ? null : { kind: 'percent', unit: '' };
}

/** Whether a cell says yes or no; null if it says anything else. */
function readAnswer(tokens: readonly FactToken[]): boolean | null {
  const [first, second] = tokens;
  if (first === undefined || tokens.length > 2) return null;
  if (valueWords.no.has(first.folded) || (second !== undefined && valueWords.no.has(second.folded)))
    return false;
  if (first.folded === 'not' || first.folded === 'nicht') return false;
  return second === undefined && valueWords.yes.has(first.folded) ? true : null;
}

function plainKeys(tokens: readonly FactToken[], { isPlain, key }: SubjectWords): readonly string[] {
  return tokens.flatMap((token) => {
    if (token.kind === 'sign' || (token.kind === 'word' && isPlain(token.folded))) return [];
    return [token.kind === 'word' ? key(token.folded) : token.raw];
  });
}

/** The words that a unit is about, each with whether it tells one of several apart. */
function readSubject(
  tokens: readonly FactToken[],
  values: readonly PlacedValue[],
  words: SubjectWords,
): readonly SubjectWord[] {
  const { restrictions, assertions, capitalisesNouns, hasVerbEnding } = words;
  const valueAt = (at: number) => values.find(({ from, next }) => at >= from && at < next)?.value;
  const keys = tokens.map((token, at) => (valueAt(at) === undefined ? subjectKey(token, words) : ''));
  const keyAt = (at: number) => keys[at] ?? '';
  const isName = (at: number) => {
    const token = tokens[at];
    return token?.kind === 'number' || (!capitalisesNouns && at > 0 && /^\p{Lu}/u.test(token?.raw ?? ''));
  };
  /** `The clinic employs`, `you can try`. */
  const isVerb = (at: number) => {
    const before = tokens[at - 1]?.folded ?? '';
    return assertions.has(before) || (keyAt(at - 1) !== '' && hasVerbEnding(tokens[at]?.folded ?? ''));
  };
  /** `A deposit of 20 euros`, `guests of members`, `the Cedar lamp`: neither can be left out. */
  const isMeasured = (at: number) =>
    /^(?:of|von)$/.test(tokens[at + 1]?.folded ?? '') || (isName(at - 1) && !isVerb(at));
  const subject: SubjectWord[] = [];
  let phrases = 0;
  let phrase = 0;
  for (const [at, token] of tokens.entries()) {
    const key = keyAt(at);
    if (token.kind === 'sign' || valueAt(at) !== undefined) phrase = 0;
    // `14 days after the purchase` restricts nothing.
    else if (key === '' && restrictions.has(token.folded) && valueAt(at - 1)?.kind !== 'duration') {
      phrases += 1;
      phrase = phrases;
    }
    if (key === '') continue;
    const qualifies = isVerb(at) || isName(at + 1) ? '' : keyAt(at + 1);
    subject.push({ key, isName: isName(at), isMeasured: isMeasured(at), phrase, qualifies });
    if (keyAt(at + 1) === '') phrase = 0;
  }
  return subject;
}

/** The stem of a word that a subject may have; empty for other words and signs. */
function subjectKey(
  { kind, raw, folded }: FactToken,
  { isPlain, key, opposites, negations }: SubjectWords,
): string {
  if (kind === 'sign') return '';
  if (kind === 'number') return raw;
  if (negations.has(folded) || valueWords.numbers.has(folded)) return '';
  const word = opposites.get(folded) ?? folded;
  return isPlain(word) ? '' : key(word);
}

function readForm(tokens: readonly FactToken[], values: readonly PlacedValue[]): readonly string[] {
  return tokens.flatMap(({ kind, folded }, at) => {
    if (kind !== 'word' || values.some(({ from, next }) => at >= from && at < next)) return [];
    return [folded];
  });
}

type Lead = 'until' | 'since' | 'during' | null;

/** How far before a date the word may stand that makes it the end of a period. */
const LEAD_WORDS = 4;

function leadOf(tokens: readonly FactToken[], { from }: PlacedValue): Lead {
  for (let at = from - 1; at >= Math.max(0, from - LEAD_WORDS); at -= 1) {
    const word = tokens[at]?.folded ?? '';
    if (valueWords.until.has(word)) return 'until';
    if (valueWords.since.has(word)) return 'since';
    if (valueWords.during.has(word)) return 'during';
    if (!valueWords.fillers.has(word)) return null;
  }
  return null;
}

/** Whether a date beside other values is told as well: `On 3 May we open at 9.` */
function isOpenDate(tokens: readonly FactToken[], placed: PlacedValue): boolean {
  const { value } = placed;
  const [day] = value.days;
  if (value.kind !== 'date' || value.days.length > 1 || day === undefined || day.month === null) return false;
  return leadOf(tokens, placed) === null;
}

/** The period that a text names; null if it names none. */
function readPeriod(tokens: readonly FactToken[], values: readonly PlacedValue[]): Period | null {
  let from: number | null = null;
  let to: number | null = null;
  const season: string[] = [];
  for (const placed of values) {
    const [first, last] = placed.value.days;
    if (first === undefined) continue;
    const lead = leadOf(tokens, placed);
    const isYear = first.month === null;
    if (lead === null && last === undefined && !isYear) continue;
    const isRange = last !== undefined || lead === 'during' || (isYear && lead === null);
    if (isRange || lead === 'since') from ??= boundDay(first, 'first');
    if (isRange || lead === 'until') to ??= boundDay(last ?? first, 'last');
    if (first.year === null) season.push(`${lead ?? ''} ${first.month}-${first.day}`);
  }
  return from === null && to === null && season.length === 0 ? null : { from, to, season: season.join() };
}

function isPeriod(period: Period | null): period is Period {
  return period !== null;
}

/** The last day on which the unit is up to date: the end of its period, or the day of something to come. */
function readLastDay(tokens: readonly FactToken[], values: readonly PlacedValue[]): number | null {
  if (tokens.some(({ folded }) => valueWords.past.has(folded))) return null;
  const ends = values.flatMap((placed) => {
    const last = placed.value.days.at(-1);
    if (last === undefined) return [];
    const isEnd = placed.value.days.length > 1 || leadOf(tokens, placed) === 'until';
    const end = isEnd ? boundDay(last, 'last') : null;
    return end === null ? [] : [end];
  });
  return ends.length === 0 ? null : Math.max(...ends);
}
