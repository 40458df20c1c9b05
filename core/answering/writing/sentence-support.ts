import type { WriterPassage } from '../../contract/answer-writer.ts';
import { questionLanguage } from '../../knowledge/question-language.ts';
import { plainLetters, withoutDisguise } from '../safety/disguise.ts';
import { deedClaims } from './deed-claims.ts';
import { linksIn } from './links-in.ts';
import { passageVocabulary } from './passage-vocabulary.ts';
import { type WordKey, wordKeys } from './word-keys.ts';

/** `neutral`: says nothing of its own, such as "Here is how:". */
export interface Judgement {
  readonly verdict: 'grounded' | 'neutral' | 'unsupported';
  /** The passages that hold it up. */
  readonly chunkIds: readonly string[];
}

interface Material {
  readonly question: string;
  readonly passages: readonly WriterPassage[];
}

const UNSUPPORTED: Judgement = { verdict: 'unsupported', chunkIds: [] };

/**
 * Whether passages hold up what a sentence says: by its words, its numbers and its addresses. A cheap test that finds
 * what was made up rather than what was misunderstood.
 */
export class SentenceSupport {
  readonly #passages: readonly WriterPassage[];
  readonly #question: string;
  readonly #asked: ReadonlySet<number>;
  #vocabularies: readonly ReadonlySet<number>[] | undefined;
  #foreign: boolean | undefined;

  constructor({ question, passages }: Material) {
    this.#passages = passages;
    this.#question = question;
    this.#asked = new Set(wordKeys(question).map(({ hash }) => hash));
  }

  /** `cited`: the numbers, from 1, of the passages that the sentence says it is from. */
  judge(sentence: string, cited: readonly number[]): Judgement {
    const plain = plainLetters(sentence);
    if (deedClaims.isIn(plain)) return UNSUPPORTED;
    const words = distinct(wordKeys(sentence));
    const links = linksIn(plain);
    const named = [...new Set(cited)].map((number) => number - 1).filter((index) => index in this.#passages);
    if (named.length > 0 && this.#holds(words, links, { among: named, cited: true })) return this.#by(named);
    for (const index of this.#byLikeness(words)) {
      if (this.#holds(words, links, { among: [index], cited: false })) return this.#by([index]);
    }
    const all = [...this.#passages.keys()];
    const { known, asked, unknown, missing } = this.#count(words, all);
    if (named.length === 0 && unknown + missing === 0 && this.#found(links, all)) {
      return { verdict: 'neutral', chunkIds: [] };
    }
    const isTranslated = named.length > 0 && known + asked > 0 && missing === 0 && this.#found(links, named);
    const isWritten = withoutDisguise(plain) === plain;
    return isTranslated && isWritten && this.#isForeign(sentence) ? this.#by(named) : UNSUPPORTED;
  }

  /** Whether the word is in a passage or in the question. */
  knows({ hash }: WordKey): boolean {
    return this.#asked.has(hash) || this.#all.some((vocabulary) => vocabulary.has(hash));
  }

  /** Whether the passages are in another language than a text, so that words cannot be compared. */
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
    const { known, asked, unknown, missing, counted } = this.#count(words, among);
    // Without a word that is known from anywhere, a citation proves nothing.
    if (words.length > 0 && known + asked === 0) return false;
    if (missing > 0 || !this.#found(links, among)) return false;
    if (words.some((word) => word.exact) && counted === 0) return false;
    return cited ? known >= unknown : known >= 2 && known >= 2 * unknown;
  }

  /** Numbers that only the question holds are neither found nor missing. */
  #count(words: readonly WordKey[], among: readonly number[]) {
    const counts = { known: 0, asked: 0, unknown: 0, missing: 0, counted: 0 };
    for (const word of words) {
      if (among.some((index) => this.#all[index]?.has(word.hash))) {
        counts.known += 1;
        if (word.counts) counts.counted += 1;
      } else if (this.#asked.has(word.hash)) counts.asked += 1;
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
    const language = questionLanguage(text).code;
    const ofPassages = questionLanguage(this.#passages[0]?.text ?? '').code;
    return language !== 'und' && ofPassages !== 'und' && language !== ofPassages;
  }
}

function distinct(words: readonly WordKey[]): readonly WordKey[] {
  return [...new Map(words.map((word) => [word.hash, word])).values()];
}
