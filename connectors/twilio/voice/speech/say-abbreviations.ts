import type { SpeechLanguage } from './speech-language.ts';

/** Whole words for what is shortened. One that ends a sentence leaves its full stop there. */
export function sayAbbreviations(text: string, { abbreviations }: SpeechLanguage): string {
  const names = Object.keys(abbreviations)
    .toSorted((one, other) => other.length - one.length)
    .map((name) => name.replaceAll('.', String.raw`\.`).replaceAll(' ', String.raw`\s`))
    .join('|');
  const shortened = new RegExp(String.raw`(?<![\p{L}\d.])(${names})(?![\p{L}\d])`, 'gu');
  return text.replaceAll(shortened, (name: string, _name: string, at: number) => {
    const words = abbreviations[name.replaceAll(/\s/g, ' ')] ?? name;
    const isLast = name.endsWith('.') && /^\s*$/.test(text.slice(at + name.length));
    return isLast ? `${words}.` : words;
  });
}
