import { fold } from '../knowledge/fold.ts';

/** So much of a message is looked at; nobody asks for something in more words. */
const READ = 4_000;
/** Nothing is looked for in more than so many characters at once. */
const LONGEST_SENTENCE = 500;
const ADDRESS = /(?<![^\s@<>,;:()"'])[^\s@<>,;:()"']+@([^\s@<>,;:()"']+)/gu;

/**
 * What was said, sentence by sentence, in small letters and without marks, as words with one space between them;
 * commas are words of their own, hyphens are gone, and every e-mail address is `mailaddress`.
 */
export function plainSpeech(text: string): readonly string[] {
  return fold(
    text
      .slice(0, READ)
      .replace(/[’‘ʼ´`]/gu, "'")
      .replace(ADDRESS, withoutAddress),
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
    .flatMap(inPieces)
    .filter((sentence) => sentence !== '');
}

function inPieces(sentence: string): readonly string[] {
  const pieces: string[] = [];
  let rest = sentence;
  while (rest.length > LONGEST_SENTENCE) {
    const space = rest.lastIndexOf(' ', LONGEST_SENTENCE);
    const end = space > 0 ? space : LONGEST_SENTENCE;
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return [...pieces, rest];
}

function withoutAddress(found: string, domain: string): string {
  const [, host = '', rest = ''] = /^(.*[\p{L}\p{N}])(.*)$/su.exec(domain) ?? [];
  return host.indexOf('.', 1) > 0 ? ` mailaddress ${rest}` : found;
}
