import { fold } from '../knowledge/text/words.ts';

/**
 * How a language asks for something, in parts of regular expressions over plain speech. A request is recognised whole,
 * from the start of a clause on, never by a word in it: so questions about such requests, and refusals, are none.
 */
export interface RequestGrammar {
  /** Words that may come before a request: `hello`, `please`. */
  readonly openers: readonly string[];
  /** Words that begin a clause of its own: `and`, `but`. */
  readonly links: readonly string[];
  readonly requests: readonly string[];
  /** What a request may go on with, beside a comma; whatever follows that. */
  readonly tails: readonly string[];
  /** What is a request only as a whole sentence: `agent`. */
  readonly bare: readonly string[];
  /** What may follow those: `please`. */
  readonly closers: readonly string[];
}

/** Whether a sentence of plain speech is such a request in one of the languages. */
export function createRequestMatcher(grammars: readonly RequestGrammar[]): (sentence: string) => boolean {
  const patterns = grammars.flatMap((grammar) => [requestPattern(grammar), barePattern(grammar)]);
  return (sentence) => patterns.some((pattern) => pattern.test(sentence));
}

function requestPattern({ openers, links, requests, tails, closers }: RequestGrammar): RegExp {
  const start = `(?:^|(?<=^| )(?:${[',', ...links].join('|')}) )(?:(?:${[',', ...openers].join('|')}) ){0,12}`;
  const end = `(?= *$| (?:${[',', ...closers, ...tails].join('|')})(?: |$))`;
  return new RegExp(`${start}(?:${requests.join('|')})${end}`, 'u');
}

/** Such a request is the whole sentence, or the end of one where it is asked for politely: `it is broken, agent please`. */
function barePattern({ openers, bare, closers }: RequestGrammar): RegExp {
  const before = `(?:(?:${[',', ...openers].join('|')}) ){0,12}`;
  const after = `(?: (?:${[',', ...closers].join('|')}))`;
  return new RegExp(
    `(?:^${before}(?:${bare.join('|')})${after}*|(?<= , )(?:${bare.join('|')})${after}+)$`,
    'u',
  );
}

/** So much of a message is looked at; nobody asks for something in more words. */
const READ = 4_000;
/** Nothing is looked for in more than so many characters at once. */
const LONGEST_SENTENCE = 500;
const ADDRESS = /(?<![^\s@<>,;:()"'])[^\s@<>,;:()"']+@([^\s@<>,;:()"']+)/gu;

/**
 * What was said, sentence by sentence, in small letters and without marks, as words with one space between them;
 * commas are words of their own, hyphens are gone, and every e-mail address is `mailaddress`.
 */
export function normaliseSpeech(text: string): readonly string[] {
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
