import type { SpeechLanguage } from './speech-language.ts';

const AMOUNT = String.raw`[€$£]?\d[\d.,:]{0,20}(?:\s?(?:%|€|\$|£|[ap]\.m\.|[ap]m\b|Uhr\b|°C?))?`;
/** A long dash always means a range; a hyphen does where it stands between two numbers that are nothing longer. */
const NUMBERS = new RegExp(
  String.raw`(?<![\p{L}\d-])(${AMOUNT})(?:\s?[–—]\s?|\s-\s|-)(?=[€$£]?\d[\d.,:]{0,20}(?![\d.,:]{0,20}-\d))`,
  'giu',
);

/** `9–17`, `9:00 - 17:00` and `Mon-Fri` with a word in between, weekdays by their whole names. */
export function sayRanges(text: string, language: SpeechLanguage): string {
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
