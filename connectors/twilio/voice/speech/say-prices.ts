import { z } from 'zod';
import { readNumber } from './read-number.ts';
import type { SpeechLanguage } from './speech-language.ts';

const NUMBER = String.raw`\d+(?:[.,]\d+)*(?:,[-–])?`;
const GREAT = (name: string) =>
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

/** `€ 1,299.50/month` becomes `1299 euros and 50 cents per month`. */
export function sayPrices(text: string, language: SpeechLanguage): string {
  const names = Object.keys(language.currencies).map(literal).join('|');
  const before = String.raw`(?<![\p{L}\d])(?:US)?(?<first>${names})\s?(?<behind>${NUMBER})${GREAT('greatBehind')}`;
  const behind = String.raw`(?<![\p{L}\d.,])(?<before>${NUMBER})${GREAT('greatBefore')}\s?(?<last>${names})(?![\p{L}\d])`;
  const say = (number: string, great: string | undefined, name: string) => {
    const currency = language.currencies[name];
    const { whole, fraction } = readNumber(number.replace(/,[-–]$/, ''), language.decimal);
    if (currency === undefined) return number;
    if (great !== undefined) {
      const amount = fraction === '' ? whole : `${whole}${language.decimal}${fraction}`;
      return `${amount} ${greatName(great, language)} ${currency.many}`;
    }
    return language.price(whole, fraction.padEnd(2, '0').slice(0, 2), currency);
  };
  return text.replaceAll(new RegExp(`${before}|${behind}`, 'gu'), (all, ...told) => {
    const {
      first,
      last,
      before: number,
      behind: other,
      greatBefore,
      greatBehind,
    } = groups.parse(told.at(-1));
    return say(number ?? other ?? all, greatBefore ?? greatBehind, first ?? last ?? '');
  });
}

function greatName(great: string, { units }: SpeechLanguage): string {
  if (great === 'k') return units['Mio.'] === undefined ? 'thousand' : 'tausend';
  return units[great]?.many ?? great;
}

function literal(text: string): string {
  return text.replaceAll(/[$.*+?^()[\]{}|\\]/g, String.raw`\$&`);
}
