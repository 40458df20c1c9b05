import type { SpeechLanguage } from './speech-language.ts';

const PHONE = /(?<![\p{L}\d.,/-])(?:\+|\(?0|\(\d)[\d ()/-]{5,}\d(?![\p{L}\d]|[.,]\d)/gu;
const LONG = /(?<![\p{L}\d.,-])(?:\d{7,}|0\d{2,})(?![\p{L}\d-]|[.,]\d)/gu;
const fewest = 7;

/** Telephone numbers and the like are told digit by digit, group by group: nobody writes down "four million". */
export function sayDigits(text: string, { plus }: SpeechLanguage): string {
  return text
    .replaceAll(PHONE, (number) => {
      if ((number.match(/\d/g) ?? []).length < fewest) return number;
      const groups = (number.match(/\d+/g) ?? []).map((group) => [...group].join(' '));
      return `${number.startsWith('+') ? `${plus} ` : ''}${groups.join(', ')}`;
    })
    .replaceAll(LONG, (number) => [...number].join(' '));
}
