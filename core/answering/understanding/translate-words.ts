import type { Glossary } from '../../language/language-pack.ts';
import { languages } from '../../language/languages/index.ts';
import { fold, splitWords } from '../../language/words.ts';

/** The English of words and phrases in one language. */
interface Dictionary {
  readonly exact: ReadonlyMap<string, string>;
  /** The translations by the beginning of a word that may have an ending. */
  readonly stems: ReadonlyMap<string, string>;
  /** Whether words are put together from others: `Versandkosten`. */
  readonly hasCompounds: boolean;
}

const dictionaries: ReadonlyMap<string, Dictionary> = new Map(
  languages.flatMap(({ code, glossary }) =>
    glossary === undefined ? [] : [[code, readGlossary(glossary)] as const],
  ),
);

const MAX_PHRASE_WORDS = 5;
const MAX_ENDING = 4;
/** Letters between the parts of a compound: `Lieferungskosten`. */
const MAX_LINK = 2;
const MIN_PART = 3;

/**
 * Returns a question in English, word by word: enough to search for, and not to be shown. Names
 * and words that the glossary lacks stay as they are. Null for languages without a
 * glossary, and if such words are more than half of it. Pure.
 */
export function translateWords(question: string, language: string): string | null {
  const glossary = dictionaries.get(language);
  if (glossary === undefined) return null;
  const words = splitWords(question.normalize('NFKC'));
  const folded = words.map(fold);
  const said: string[] = [];
  let unknown = 0;
  for (let at = 0; at < words.length; ) {
    const phrase = longestPhrase(glossary, folded, at);
    if (phrase !== null) said.push(phrase.english);
    else {
      said.push(words[at] ?? '');
      unknown += 1;
    }
    at += phrase?.length ?? 1;
  }
  return 2 * unknown > words.length ? null : `${said.join(' ')}?`;
}

interface Phrase {
  readonly english: string;
  /** In words. */
  readonly length: number;
}

function longestPhrase(glossary: Dictionary, folded: readonly string[], at: number): Phrase | null {
  for (let length = Math.min(MAX_PHRASE_WORDS, folded.length - at); length > 0; length -= 1) {
    const english = findWord(glossary, folded.slice(at, at + length).join(' '));
    if (english !== null) return { english, length };
  }
  const compound = glossary.hasCompounds ? findCompound(glossary, folded[at] ?? '') : null;
  return compound === null ? null : { english: compound, length: 1 };
}

/** Finds a word or phrase, whose last word may have an ending. */
function findWord({ exact, stems }: Dictionary, word: string, maxEnding = MAX_ENDING): string | null {
  const english = exact.get(word);
  if (english !== undefined) return english;
  const shortest = Math.max(2, word.length - maxEnding, word.lastIndexOf(' ') + 2);
  for (let end = word.length; end >= shortest; end -= 1) {
    const found = stems.get(word.slice(0, end));
    if (found !== undefined) return found;
  }
  return null;
}

/** Splits a word into two that are known, the first as long as possible. `zurückzugeben` is found as `zurückgeben`. */
function findCompound(glossary: Dictionary, word: string): string | null {
  const infix = word.indexOf('zu', MIN_PART - 1);
  const verb = infix < 0 ? null : findWord(glossary, word.slice(0, infix) + word.slice(infix + 2));
  if (verb !== null) return verb;
  for (let end = word.length - MIN_PART; end >= MIN_PART; end -= 1) {
    const first = findWord(glossary, word.slice(0, end), MAX_LINK);
    const second = first === null ? null : findWord(glossary, word.slice(end));
    if (second !== null) return `${first} ${second}`;
  }
  return null;
}

function readGlossary({ entries, hasCompounds }: Glossary): Dictionary {
  const exact = new Map<string, string>();
  const stems = new Map<string, string>();
  for (const entry of entries.trim().split(/\s+/u)) {
    const [source = '', target = ''] = entry.split('=', 2);
    const key = splitWords(fold(source.replaceAll('_', ' '))).join(' ');
    (source.endsWith('-') ? stems : exact).set(key, target.replaceAll('_', ' '));
  }
  return { exact, stems, hasCompounds };
}
