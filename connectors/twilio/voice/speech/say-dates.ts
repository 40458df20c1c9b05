import type { SpeechLanguage } from './speech-language.ts';

interface Read {
  readonly day: number;
  readonly month: number;
  readonly year: string | null;
}

const ISO = /(?<![\d-])(\d{4})-(\d{2})-(\d{2})(?:T[\d:.]+Z?)?(?![\d-])/g;
const DOTTED = /(?<![\d.])(\d{1,2})\.\s?(\d{1,2})\.(?:\s?(\d{4}|\d{2})(?!\d))?(?!\d)/g;
const SLASHED = /(?<![\d/])(\d{1,2})\/(\d{1,2})\/(\d{4})(?![\d/])/g;

/** `2026-11-21`, `21.11.2026` and `11/21/2026` with the name of their month; `tag` says which number that is. */
export function sayDates(text: string, language: SpeechLanguage, tag: string): string {
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
