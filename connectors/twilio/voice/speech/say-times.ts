import type { SpeechLanguage } from './speech-language.ts';

const HALF = String.raw`(?:\s?([ap])(?:\.m\.|m\b))`;
const CLOCK = new RegExp(
  String.raw`(?<![\d:.,])([01]?\d|2[0-4]):([0-5]\d)(?::[0-5]\d)?(?![\d:])(?:${HALF}|\s?(?:Uhr|hrs|h)\b)?`,
  'gi',
);
const HOUR = new RegExp(String.raw`(?<![\d:.,])(1[0-2]|0?[1-9])${HALF}`, 'gi');

/** `09:00` and `5:30pm` as they are said. */
export function sayTimes(text: string, language: SpeechLanguage): string {
  return text
    .replaceAll(CLOCK, (_all, hour: string, minute: string, half: string | undefined) =>
      language.time(onTheDay(Number(hour), half), Number(minute)),
    )
    .replaceAll(HOUR, (_all, hour: string, half: string) => language.time(onTheDay(Number(hour), half), 0));
}

function onTheDay(hour: number, half: string | undefined): number {
  if (half === undefined) return hour;
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
}
