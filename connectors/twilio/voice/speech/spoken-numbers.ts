import { z } from 'zod';
import type { SpeechLanguage } from './speech-language.ts';

/** A number without thousands separators. */
interface SpokenNumber {
  readonly whole: string;
  /** The digits after the decimal separator; empty if there are none. */
  readonly fraction: string;
}

/** Parses `1.234,50`, `1,234.50` and `19,99`. Three digits after a possible thousands separator are thousands. */
function parseNumber(text: string, decimal: '.' | ','): SpokenNumber {
  const marks = text.match(/[.,]/g) ?? [];
  const last = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
  const behind = text.slice(last + 1);
  const isMixed = new Set(marks).size === 2;
  const isThousands = !isMixed && (marks.length > 1 || (behind.length === 3 && text[last] !== decimal));
  if (last < 0 || isThousands) return { whole: text.replaceAll(/[.,]/g, ''), fraction: '' };
  return { whole: text.slice(0, last).replaceAll(/[.,]/g, ''), fraction: behind };
}

const NUMBER = String.raw`\d+(?:[.,]\d+)*(?:,[-–])?`;
const MAGNITUDE = (name: string) =>
  String.raw`(?:\s?(?<${name}>million|billion|Millionen|Milliarden|Mio\.|Mrd\.|k\b))?`;
const group = z.string().optional();
const groups = z.object({
  first: group,
  last: group,
  before: group,
  behind: group,
  greatBefore: group,
  greatBehind: group,
});

/** Rewrites `€ 1,299.50/month` as `1299 euros and 50 cents per month`. */
export function verbalizePrices(text: string, language: SpeechLanguage): string {
  const names = Object.keys(language.currencies).map(literal).join('|');
  const before = String.raw`(?<![\p{L}\d])(?:US)?(?<first>${names})\s?(?<behind>${NUMBER})${MAGNITUDE('greatBehind')}`;
  const behind = String.raw`(?<![\p{L}\d.,])(?<before>${NUMBER})${MAGNITUDE('greatBefore')}\s?(?<last>${names})(?![\p{L}\d])`;
  const say = (number: string, magnitude: string | undefined, name: string) => {
    const currency = language.currencies[name];
    const { whole, fraction } = parseNumber(number.replace(/,[-–]$/, ''), language.decimal);
    if (currency === undefined) return number;
    if (magnitude !== undefined) {
      const amount = fraction === '' ? whole : `${whole}${language.decimal}${fraction}`;
      return `${amount} ${magnitudeName(magnitude, language)} ${currency.many}`;
    }
    return language.price(whole, fraction.padEnd(2, '0').slice(0, 2), currency);
  };
  return text.replaceAll(new RegExp(`${before}|${behind}`, 'gu'), (all, ...matches) => {
    const {
      first,
      last,
      before: number,
      behind: other,
      greatBefore,
      greatBehind,
    } = groups.parse(matches.at(-1));
    return say(number ?? other ?? all, greatBefore ?? greatBehind, first ?? last ?? '');
  });
}

function magnitudeName(magnitude: string, { units }: SpeechLanguage): string {
  if (magnitude === 'k') return units['Mio.'] === undefined ? 'thousand' : 'tausend';
  return units[magnitude]?.many ?? magnitude;
}

function literal(text: string): string {
  return text.replaceAll(/[$.*+?^()[\]{}|\\]/g, String.raw`\$&`);
}

/** Rewrites `5 km`, `20%` and `-3 °C` with the names of the units, and removes thousands separators. */
export function verbalizeUnits(text: string, language: SpeechLanguage): string {
  const { units, decimal, minus, per } = language;
  const names = Object.keys(units)
    .toSorted((one, other) => other.length - one.length)
    .map((name) => name.replaceAll('.', String.raw`\.`))
    .join('|');
  const counted = new RegExp(String.raw`(?<![\p{L}\d.,])(\d+(?:[.,]\d+)*)\s?(${names})(?![\p{L}\d²])`, 'gu');
  const grouped = /(?<![\p{L}\d.,-])\d{1,3}(?:[.,]\d{3})+(?![\p{L}\d]|[.,]\d)/gu;
  return text
    .replaceAll(/(?<![\p{L}\d])[-−](?=\d)/gu, `${minus} `)
    .replaceAll(counted, (_all, number: string, unit: string) => {
      const { one = unit, many = unit } = units[unit] ?? {};
      return `${number} ${number === '1' ? one : many}`;
    })
    .replaceAll(grouped, (number) => {
      const { whole, fraction } = parseNumber(number, decimal);
      return fraction === '' ? whole : number;
    })
    .replaceAll(
      /(?<=[\p{L}\d])\s?\/\s?(?=(?:month|year|week|day|hour|user|person|Monat|Jahr|Woche|Tag|Stunde|Nutzer|Person)\b)/gu,
      ` ${per} `,
    );
}

const AMOUNT = String.raw`[€$£]?\d[\d.,:]{0,20}(?:\s?(?:%|€|\$|£|[ap]\.m\.|[ap]m\b|Uhr\b|°C?))?`;
/** A dash always means a range, a hyphen only between exactly two numbers. */
const NUMBERS = new RegExp(
  String.raw`(?<![\p{L}\d-])(${AMOUNT})(?:\s?[–—]\s?|\s-\s|-)(?=[€$£]?\d[\d.,:]{0,20}(?![\d.,:]{0,20}-\d))`,
  'giu',
);

/** Rewrites `9–17`, `9:00 - 17:00` and `Mon-Fri` with a word in between and full weekday names. */
export function verbalizeRanges(text: string, language: SpeechLanguage): string {
  const { to, weekdays } = language;
  const names = new Map(
    weekdays.flatMap(({ name, short }) => [name, ...short].map((one) => [one, name] as const)),
  );
  const day = String.raw`(${[...names.keys()].join('|')})\b\.?`;
  const ranges = new RegExp(String.raw`\b${day}\s?[–—-]\s?${day}`, 'g');
  const single = new RegExp(String.raw`\b${day}(?=:?,?\s+(?:\d|${to}\b))`, 'g');
  const whole = (name: string) => names.get(name) ?? name;
  return text
    .replaceAll(ranges, (_all, from: string, until: string) => `${whole(from)} ${to} ${whole(until)}`)
    .replaceAll(single, (_all, name: string) => whole(name))
    .replaceAll(NUMBERS, (_all, from: string) => `${from} ${to} `);
}

interface Read {
  readonly day: number;
  readonly month: number;
  readonly year: string | null;
}

const ISO = /(?<![\d-])(\d{4})-(\d{2})-(\d{2})(?:T[\d:.]+Z?)?(?![\d-])/g;
const DOTTED = /(?<![\d.])(\d{1,2})\.\s?(\d{1,2})\.(?:\s?(\d{4}|\d{2})(?!\d))?(?!\d)/g;
const SLASHED = /(?<![\d/])(\d{1,2})\/(\d{1,2})\/(\d{4})(?![\d/])/g;

/** Rewrites `2026-11-21`, `21.11.2026` and `11/21/2026` with the name of the month. `tag` decides about the order. */
export function verbalizeDates(text: string, language: SpeechLanguage, tag: string): string {
  const say = (read: Read, all: string) => {
    const name = language.months[read.month - 1];
    const isDate = name !== undefined && read.day >= 1 && read.day <= 31;
    return isDate ? language.date(read.day, name, read.year) : all;
  };
  return text
    .replaceAll(ISO, (all, year: string, month: string, day: string) =>
      say({ day: Number(day), month: Number(month), year }, all),
    )
    .replaceAll(DOTTED, (all, day: string, month: string, year: string | undefined) =>
      say({ day: Number(day), month: Number(month), year: whole(year) }, all),
    )
    .replaceAll(SLASHED, (all, first: string, second: string, year: string) => {
      const isMonthFirst = Number(second) > 12 || (tag === 'en-US' && Number(first) <= 12);
      const [day, month] = isMonthFirst ? [second, first] : [first, second];
      return say({ day: Number(day), month: Number(month), year }, all);
    });
}

function whole(year: string | undefined): string | null {
  if (year === undefined) return null;
  return year.length === 2 ? `20${year}` : year;
}

const HALF = String.raw`(?:\s?([ap])(?:\.m\.|m\b))`;
const CLOCK = new RegExp(
  String.raw`(?<![\d:.,])([01]?\d|2[0-4]):([0-5]\d)(?::[0-5]\d)?(?![\d:])(?:${HALF}|\s?(?:Uhr|hrs|h)\b)?`,
  'gi',
);
const HOUR = new RegExp(String.raw`(?<![\d:.,])(1[0-2]|0?[1-9])${HALF}`, 'gi');

/** Rewrites `09:00` and `5:30pm` as spoken times. */
export function verbalizeTimes(text: string, language: SpeechLanguage): string {
  return text
    .replaceAll(CLOCK, (_all, hour: string, minute: string, half: string | undefined) =>
      language.time(to24Hours(Number(hour), half), Number(minute)),
    )
    .replaceAll(HOUR, (_all, hour: string, half: string) => language.time(to24Hours(Number(hour), half), 0));
}

function to24Hours(hour: number, half: string | undefined): number {
  if (half === undefined) return hour;
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
}

const PHONE = /(?<![\p{L}\d.,/-])(?:\+|\(?0|\(\d)[\d ()/-]{5,}\d(?![\p{L}\d]|[.,]\d)/gu;
const LONG = /(?<![\p{L}\d.,-])(?:\d{7,}|0\d{2,})(?![\p{L}\d-]|[.,]\d)/gu;
const MIN_PHONE_DIGITS = 7;

/** Spells phone numbers and other long numbers digit by digit, because listeners cannot note down "four million". */
export function verbalizeDigits(text: string, { plus }: SpeechLanguage): string {
  return text
    .replaceAll(PHONE, (number) => {
      if ((number.match(/\d/g) ?? []).length < MIN_PHONE_DIGITS) return number;
      const groups = (number.match(/\d+/g) ?? []).map((group) => [...group].join(' '));
      return `${number.startsWith('+') ? `${plus} ` : ''}${groups.join(', ')}`;
    })
    .replaceAll(LONG, (number) => [...number].join(' '));
}
