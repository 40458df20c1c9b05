import { readNumber } from './read-number.ts';
import type { SpeechLanguage } from './speech-language.ts';

/** `5 km`, `20%` and `-3 °C` with the names of what is counted, and numbers without what parts their thousands. */
export function sayUnits(text: string, language: SpeechLanguage): string {
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
      const { whole, fraction } = readNumber(number, decimal);
      return fraction === '' ? whole : number;
    })
    .replaceAll(
      /(?<=[\p{L}\d])\s?\/\s?(?=(?:month|year|week|day|hour|user|person|Monat|Jahr|Woche|Tag|Stunde|Nutzer|Person)\b)/gu,
      ` ${per} `,
    );
}
