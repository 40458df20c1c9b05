import { fold } from '../knowledge/fold.ts';

/** So much of a message is looked at; nobody asks for something in more words. */
const READ = 4_000;
const ADDRESS = /[^\s@<>,;:()"']+@[^\s@<>,;:()"']+\.[^\s@<>,;:()"']*[\p{L}\p{N}]/gu;

/**
 * What was said, sentence by sentence, in small letters and without marks, as words with one space between them;
 * commas are words of their own, hyphens are gone, and every e-mail address is `mailaddress`.
 */
export function plainSpeech(text: string): readonly string[] {
  return fold(
    text
      .slice(0, READ)
      .replace(/[’‘ʼ´`]/gu, "'")
      .replace(ADDRESS, ' mailaddress '),
  )
    .split(/[.!?;…。؟؛\n]+/u)
    .map((sentence) =>
      sentence
        .replace(/[,:()–—、،]|\s-\s/gu, ' , ')
        .replace(/[^\p{L}\p{N}',+]+/gu, ' ')
        .replace(/(?<!\p{L})'|'(?!\p{L})/gu, ' ')
        .replace(/,(?:\s+,)+/gu, ',')
        .replace(/\s+/gu, ' ')
        .trim(),
    )
    .filter((sentence) => sentence !== '');
}
