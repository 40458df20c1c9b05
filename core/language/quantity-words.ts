import { listParts, uniteWords } from './find-language.ts';
import type { UnitWords } from './grammar.ts';

/** The values of number words without accents, in all languages: from two on, and the tens. */
export const numberWords: ReadonlyMap<string, number> = new Map(
  listParts(({ grammar }) => grammar?.numbers).flatMap(({ fromTwo, tens }) => [
    ...words(fromTwo).map((word, index): [string, number] => [word, index + 2]),
    ...words(tens).map((word, index): [string, number] => [word, (index + 3) * 10]),
  ]),
);

/** The forms of `one`, which is an article as well: it counts only before a unit. */
export const wordsForOne = uniteWords(({ grammar }) => grammar?.numbers?.one);

/** Words after the hour of a time of the day: `Uhr`. */
export const clockWords = uniteWords(({ grammar }) => grammar?.units?.clock);

/** Words in the place of a price. */
export const freeWords = uniteWords(({ grammar }) => grammar?.units?.free);

/** The unit that a number counts. */
export interface Unit {
  readonly kind: 'money' | 'percent' | 'duration' | 'measure';
  /** An ISO 4217 code, `hours`, `months`, `workdays`, or the symbol of a measure. Numbers of one name can be compared. */
  readonly name: string;
  /** How many of the named unit it is. */
  readonly amount: number;
}

const SPANS = [
  ['second', 'hours', 1 / 3_600],
  ['minute', 'hours', 1 / 60],
  ['hour', 'hours', 1],
  ['day', 'hours', 24],
  ['workday', 'workdays', 1],
  ['week', 'hours', 168],
  ['month', 'months', 1],
  ['year', 'months', 12],
] as const;
const ISO_CURRENCIES = 'eur usd gbp chf jpy sek nok dkk pln czk cad aud';
const CURRENCY_SYMBOLS = { EUR: '€', USD: '$', GBP: '£', JPY: '¥' };
/** Symbols that all languages share, each with how many of the first one of its line it is. */
const MEASURES = [
  'mb=1 kb=0.001 gb=1000 tb=1000000',
  'g=1 mg=0.001 kg=1000',
  'm=1 mm=0.001 cm=0.01 km=1000',
  'l=1 ml=0.001 cl=0.01',
  'w=1 kw=1000 mw=1000000',
  'hz=1 khz=1000 mhz=1000000 ghz=1000000000',
  'mbps=1 gbps=1000',
  ...['kwh=1', 'v=1', 'ah=1', 'db=1', 'px=1', '°c=1', '°f=1', '°=1'],
];

/** Units by their folded words and symbols, in all languages: the language of a short text is a guess. */
export const units: ReadonlyMap<string, Unit> = new Map([
  ...readMeasures(),
  ...listParts(({ grammar }) => grammar?.units).flatMap(readWords),
  ...readCurrencies({ ...CURRENCY_SYMBOLS }),
  ...words(ISO_CURRENCIES).flatMap((code) => readCurrencies({ [code.toUpperCase()]: code })),
]);

/** Returns the ISO 4217 code of a currency; null for another word. */
export function findCurrency(word: string): string | null {
  const unit = units.get(word);
  return unit?.kind === 'money' ? unit.name : null;
}

type Entry = readonly [string, Unit];

function readWords({ percent = '', currencies = {}, ...names }: UnitWords): readonly Entry[] {
  return [
    ...SPANS.flatMap(([unit, name, amount]) =>
      entries(names[unit] ?? '', { kind: 'duration', name, amount }),
    ),
    ...entries(`% ${percent}`, { kind: 'percent', name: '%', amount: 1 }),
    ...readCurrencies(currencies),
  ];
}

function readCurrencies(names: Readonly<Record<string, string>>): readonly Entry[] {
  return Object.entries(names).flatMap(([name, list]) => entries(list, { kind: 'money', name, amount: 1 }));
}

function readMeasures(): readonly Entry[] {
  return MEASURES.flatMap((line) => {
    const pairs = words(line).map((pair) => pair.split('='));
    const [[name = ''] = []] = pairs;
    return pairs.map(
      ([symbol = '', amount]): Entry => [symbol, { kind: 'measure', name, amount: Number(amount) }],
    );
  });
}

function entries(list: string, unit: Unit): readonly Entry[] {
  return words(list).map((word): Entry => [word, unit]);
}

function words(list: string): readonly string[] {
  return list.split(/\s+/u).filter((word) => word !== '');
}

/** Groups of three digits, or a decimal fraction. */
const GROUPED = /^\d{1,3}(?:[.,]\d{3})+$/;

/**
 * Returns a written number, in the form of any language: 1,299.00 is 1.299,00. Null for a time, a date or a version. Three
 * digits after a single mark are thousands.
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
