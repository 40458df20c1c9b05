import type { LanguagePack } from '../../language/language-pack.ts';
import { languages } from '../../language/languages/index.ts';
import type { Courtesies, RequestForms } from '../../language/requests.ts';
import { fold } from '../../language/words.ts';

const NO_COURTESIES: Courtesies = { openers: [], links: [], closers: [] };

/** Returns a function that tests whether a normalised sentence is a request in any language. */
export function createRequestMatcher(
  findForms: (language: LanguagePack) => RequestForms | undefined,
): (sentence: string) => boolean {
  const patterns = languages.flatMap((language) => {
    const forms = findForms(language);
    if (forms === undefined) return [];
    const grammar = { ...(language.courtesies ?? NO_COURTESIES), ...forms };
    return [requestPattern(grammar), barePattern(grammar)];
  });
  return (sentence) => patterns.some((pattern) => pattern.test(sentence));
}

type RequestGrammar = Courtesies & RequestForms;

function requestPattern({ openers, links, requests, tails, closers }: RequestGrammar): RegExp {
  const start = `(?:^|(?<=^| )(?:${[',', ...links].join('|')}) )(?:(?:${[',', ...openers].join('|')}) ){0,12}`;
  const end = `(?= *$| (?:${[',', ...closers, ...tails].join('|')})(?: |$))`;
  return new RegExp(`${start}(?:${requests.join('|')})${end}`, 'u');
}

/** A bare request is the whole sentence, or the end of one if it is polite: `it is broken, agent please`. */
function barePattern({ openers, bare, closers }: RequestGrammar): RegExp {
  const before = `(?:(?:${[',', ...openers].join('|')}) ){0,12}`;
  const after = `(?: (?:${[',', ...closers].join('|')}))`;
  return new RegExp(
    `(?:^${before}(?:${bare.join('|')})${after}*|(?<= , )(?:${bare.join('|')})${after}+)$`,
    'u',
  );
}

/** Only the start of a message is read: requests are short. */
const MAX_READ_CHARACTERS = 4_000;
/** Longer sentences are split before matching, to bound the time of the patterns. */
const MAX_SENTENCE_CHARACTERS = 500;
const ADDRESS = /(?<![^\s@<>,;:()"'])[^\s@<>,;:()"']+@([^\s@<>,;:()"']+)/gu;

/**
 * Splits a message into sentences of folded words with one space between them. Commas are separate words, hyphens are
 * removed, and every e-mail address becomes `mailaddress`.
 */
export function normaliseSpeech(text: string): readonly string[] {
  return fold(
    text
      .slice(0, MAX_READ_CHARACTERS)
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
    .flatMap(splitLongSentence)
    .filter((sentence) => sentence !== '');
}

function splitLongSentence(sentence: string): readonly string[] {
  const pieces: string[] = [];
  let rest = sentence;
  while (rest.length > MAX_SENTENCE_CHARACTERS) {
    const space = rest.lastIndexOf(' ', MAX_SENTENCE_CHARACTERS);
    const end = space > 0 ? space : MAX_SENTENCE_CHARACTERS;
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return [...pieces, rest];
}

function withoutAddress(found: string, domain: string): string {
  const [, host = '', rest = ''] = /^(.*[\p{L}\p{N}])(.*)$/su.exec(domain) ?? [];
  return host.indexOf('.', 1) > 0 ? ` mailaddress ${rest}` : found;
}
