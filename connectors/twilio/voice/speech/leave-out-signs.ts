import type { SpeechLanguage } from './speech-language.ts';

const PICTURES = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u{FE0F}|\u{200D}|\u{20E3}/gu;
const TAG = /<\/?[a-z][^<>]*>/giu;
const NOTE = /\[\^?[\w-]{1,12}\]/g;

/** Words for signs that mean one, and nothing for those that only look like something. */
export function leaveOutSigns(text: string, language: SpeechLanguage | null): string {
  const signs = Object.entries(language?.signs ?? {});
  const plain = text.replaceAll(TAG, ' ').replaceAll(NOTE, '');
  const worded = signs.reduce((told, [sign, words]) => told.replaceAll(sign, ` ${words} `), plain);
  return worded
    .replaceAll(PICTURES, '')
    .replaceAll(/[*_`~^|\\<>{}[\]#=→•☑☐©®™"„“”«»]/gu, ' ')
    .replaceAll(/\p{Cc}|\p{Cf}/gu, ' ')
    .replaceAll(/\s[–—-]+\s/g, ', ')
    .replaceAll(/[–—]+/g, ', ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ([.,;:!?…])/g, '$1')
    .replaceAll(/\(\s*\)/g, '')
    .replaceAll(/,(?:\s*,)+/g, ',')
    .trim();
}
