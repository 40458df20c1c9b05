import { LRUCache } from 'lru-cache';
import type { WriterPassage } from '../../contract/answer-writer.ts';
import { joinAlternatives } from '../../language/find-language.ts';
import { detectLanguage } from '../../language/language.ts';
import { answerRules } from '../rules.ts';
import { findLinks } from '../safety/addresses.ts';
import { plainLetters, withoutDisguise } from '../safety/disguise.ts';
import { extractWordKeys, type WordKey } from './word-keys.ts';

/** `neutral`: the sentence makes no statement, such as "Here is how:". */
interface Judgement {
  readonly verdict: 'grounded' | 'neutral' | 'unsupported';
  /** The passages that support the sentence. */
  readonly chunkIds: readonly string[];
}

interface Material {
  readonly question: string;
  readonly passages: readonly WriterPassage[];
}

const UNSUPPORTED: Judgement = { verdict: 'unsupported', chunkIds: [] };

/**
 * Checks whether passages support a sentence, by its words, numbers and addresses. The check is cheap; it detects
 * invented facts rather than misunderstood ones.
 */
export class SentenceSupport {
  readonly #passages: readonly WriterPassage[];
  readonly #question: string;
  readonly #questionWords: ReadonlySet<number>;
  #vocabularies: readonly ReadonlySet<number>[] | undefined;
  #foreign: boolean | undefined;

  constructor({ question, passages }: Material) {
    this.#passages = passages;
    this.#question = question;
    this.#questionWords = new Set(extractWordKeys(question).map(({ hash }) => hash));
  }

  /** Checks a sentence. `cited` are the passage numbers in the sentence's citations, from 1. */
  judge(sentence: string, cited: readonly number[]): Judgement {
    const plain = plainLetters(sentence);
    if (ACTION_CLAIM.isIn(plain)) return UNSUPPORTED;
    const words = distinct(extractWordKeys(sentence));
    const links = findLinks(plain);
    const named = [...new Set(cited)].map((number) => number - 1).filter((index) => index in this.#passages);
    if (named.length > 0 && this.#holds(words, links, { among: named, cited: true })) return this.#by(named);
    for (const index of this.#byLikeness(words)) {
      if (this.#holds(words, links, { among: [index], cited: false })) return this.#by([index]);
    }
    const all = [...this.#passages.keys()];
    const { known, fromQuestion, unknown, missing } = this.#count(words, all);
    if (named.length === 0 && unknown + missing === 0 && this.#found(links, all)) {
      return { verdict: 'neutral', chunkIds: [] };
    }
    const isTranslated =
      named.length > 0 && known + fromQuestion > 0 && missing === 0 && this.#found(links, named);
    const isWritten = withoutDisguise(plain) === plain;
    return isTranslated && isWritten && this.#isForeign(sentence) ? this.#by(named) : UNSUPPORTED;
  }

  /** Returns whether the word occurs in a passage or in the question. */
  knows({ hash }: WordKey): boolean {
    return this.#questionWords.has(hash) || this.#all.some((vocabulary) => vocabulary.has(hash));
  }

  /** Whether the passages are in a different language than the question, so that words cannot be compared. */
  get isForeign(): boolean {
    this.#foreign ??= this.#isForeign(this.#question);
    return this.#foreign;
  }

  get #all(): readonly ReadonlySet<number>[] {
    this.#vocabularies ??= this.#passages.map(passageVocabulary);
    return this.#vocabularies;
  }

  #holds(
    words: readonly WordKey[],
    links: readonly string[],
    { among, cited }: { readonly among: readonly number[]; readonly cited: boolean },
  ): boolean {
    const { known, fromQuestion, unknown, missing, counted } = this.#count(words, among);
    // Without a single known word, a citation proves nothing.
    if (words.length > 0 && known + fromQuestion === 0) return false;
    if (missing > 0 || !this.#found(links, among)) return false;
    if (words.some((word) => word.exact) && counted === 0) return false;
    return cited ? known >= unknown : known >= 2 && known >= 2 * unknown;
  }

  /** Numbers that occur only in the question are neither known nor missing. */
  #count(words: readonly WordKey[], among: readonly number[]) {
    const counts = { known: 0, fromQuestion: 0, unknown: 0, missing: 0, counted: 0 };
    for (const word of words) {
      if (among.some((index) => this.#all[index]?.has(word.hash))) {
        counts.known += 1;
        if (word.counts) counts.counted += 1;
      } else if (this.#questionWords.has(word.hash)) counts.fromQuestion += 1;
      else if (word.exact) counts.missing += 1;
      else counts.unknown += 1;
    }
    return counts;
  }

  #found(links: readonly string[], among: readonly number[]): boolean {
    return links.every((link) =>
      among.some((index) => {
        const { text = '' } = this.#passages[index] ?? {};
        return text.includes(link) || plainLetters(text).includes(link);
      }),
    );
  }

  #byLikeness(words: readonly WordKey[]): readonly number[] {
    const counted = this.#all.map((vocabulary, index) => ({
      index,
      known: words.filter(({ hash }) => vocabulary.has(hash)).length,
    }));
    return counted.sort((one, other) => other.known - one.known).map(({ index }) => index);
  }

  #by(indexes: readonly number[]): Judgement {
    const chunkIds = indexes.flatMap((index) => this.#passages[index]?.chunkId ?? []);
    return { verdict: 'grounded', chunkIds };
  }

  #isForeign(text: string): boolean {
    const language = detectLanguage(text).code;
    const ofPassages = detectLanguage(this.#passages[0]?.text ?? '').code;
    return language !== 'und' && ofPassages !== 'und' && language !== ofPassages;
  }
}

function distinct(words: readonly WordKey[]): readonly WordKey[] {
  return [...new Map(words.map((word) => [word.hash, word])).values()];
}

/** The number of passages whose vocabulary stays cached, a few kilobytes each; many questions find the same passages. */
const MAX_VOCABULARIES = 2_000;
const vocabularies = new LRUCache<string, ReadonlySet<number>>({ max: MAX_VOCABULARIES });

/** Returns the hashes of all words of a passage and of the titles above it. */
function passageVocabulary({ title, headings, text }: WriterPassage): ReadonlySet<number> {
  const fullText = [title, ...headings, text].join('\n');
  let vocabulary = vocabularies.get(fullText);
  if (vocabulary === undefined) {
    vocabulary = new Set(extractWordKeys(fullText).map(({ hash }) => hash));
    vocabularies.set(fullText, vocabulary);
  }
  return vocabulary;
}

const QUOTED = /"[^"]*"|“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»/gu;
const FIRST_PERSON = new RegExp(
  `(?<!\\p{L})(?:${joinAlternatives(({ grammar }) => grammar?.claims?.firstPerson)})(?!\\p{L})`,
  'iu',
);
const CLAIM = new RegExp(
  `(?<!\\p{L})(?:${joinAlternatives(({ grammar }) => grammar?.claims?.claims)})(?!\\p{L})`,
  'iu',
);

/**
 * Recognises sentences in which a model claims to have done something ("I cancelled your order"). No document can support
 * such a claim, even if it contains the words, and skills report their actions themselves. The check uses common verbs
 * and is cheap.
 */
export const ACTION_CLAIM = {
  isIn: (sentence: string): boolean => CLAIM.test(sentence.replace(QUOTED, ' ')),
  /** Returns whether the start of a sentence may grow into a claim. */
  mayBeIn: (start: string): boolean => FIRST_PERSON.test(start),
};

const PARTIAL_WORD = /(?<=^|\s)[\p{L}\p{M}]+$/u;

/**
 * Checks a sentence while it is shown. Numbers and addresses that no passage contains are never shown, and a sentence
 * with too many unknown words is stopped.
 */
export class UngroundedWordFilter {
  readonly #support: SentenceSupport;
  #known = 0;
  #unknown = 0;
  #open = true;
  /** The start of a word that is still incomplete. */
  #partial = '';

  constructor(support: SentenceSupport) {
    this.#support = support;
  }

  /**
   * Returns whether the next piece may be shown. After the first rejection it always returns false. Numbers and addresses
   * must not be split between pieces.
   */
  lets(piece: string): boolean {
    if (!this.#open) return false;
    const partial = PARTIAL_WORD.exec(piece)?.[0] ?? '';
    const words = this.#partial + piece.slice(0, piece.length - partial.length);
    this.#partial = words === this.#partial ? words + partial : partial;
    if (words === '' || partial === piece) return true;
    if (findLinks(words).length > 0) this.#open = false;
    for (const word of extractWordKeys(words)) {
      if (this.#support.knows(word)) this.#known += 1;
      else if (word.exact) this.#open = false;
      else this.#unknown += 1;
    }
    const isUnsupported = this.#unknown >= answerRules.unknownWords && this.#unknown > this.#known;
    if (this.#open && isUnsupported) this.#open = this.#support.isForeign;
    return this.#open;
  }
}
