import { LRUCache } from 'lru-cache';
import type { WriterPassage } from '../../contract/answer-writer.ts';
import { joinAlternatives } from '../../language/find-language.ts';
import { detectLanguage } from '../../language/language.ts';
import { answerRules } from '../rules.ts';
import { findLinks } from '../safety/addresses.ts';
import { plainLetters, withoutDisguise } from '../safety/disguise.ts';
import { checkClaims, hasQuantities, isDeniedBy, nearestUnit, type Stated } from './claim-check.ts';
import { hashesOf, mayDeny, readUnits, type Unit } from './clauses.ts';
import { parseQuantities } from './quantities.ts';
import { extractWordKeys, type WordKey } from './word-keys.ts';

/** `neutral`: the sentence makes no statement, such as "Here is how:". */
interface Judgement {
  readonly verdict: 'grounded' | 'neutral' | 'unsupported';
  /** The passages that support the sentence. */
  readonly chunkIds: readonly string[];
  /** The unit of the passages that is nearest to the sentence; null if none is near. It may be quoted instead. */
  readonly nearest: Quotable | null;
}

export interface Quotable {
  readonly chunkId: string;
  readonly text: string;
}

interface Material {
  readonly question: string;
  readonly passages: readonly WriterPassage[];
}

const UNSUPPORTED: Judgement = { verdict: 'unsupported', chunkIds: [], nearest: null };

/**
 * Checks whether passages support a sentence: its numbers, names and denials by `claim-check.ts`, its other words and its
 * addresses by whether the passages have them.
 */
export class SentenceSupport {
  readonly #passages: readonly WriterPassage[];
  readonly #question: string;
  readonly #questionWords: ReadonlySet<number>;
  #vocabularies: readonly ReadonlySet<number>[] | undefined;
  #units: readonly (readonly Unit[])[] | undefined;
  #language: string | undefined;

  constructor({ question, passages }: Material) {
    this.#passages = passages;
    this.#question = question;
    this.#questionWords = hashesOf(question);
  }

  /**
   * Checks a sentence. `cited` are the passage numbers in the sentence's citations, from 1; `before` is the sentence before
   * it.
   */
  judge(sentence: string, cited: readonly number[], before = ''): Judgement {
    const plain = plainLetters(sentence);
    if (ACTION_CLAIM.isIn(plain)) return UNSUPPORTED;
    const words = distinct(extractWordKeys(sentence));
    const links = findLinks(plain);
    const named = [...new Set(cited)].map((number) => number - 1).filter((index) => index in this.#passages);
    const all = [...this.#passages.keys()];
    const { known, fromQuestion, unknown, missing } = this.#count(words, all);
    const isPlain = withoutDisguise(plain) === plain;
    const isTranslated =
      named.length > 0 &&
      known + fromQuestion > 0 &&
      known <= unknown &&
      isPlain &&
      this.#isForeign(sentence);
    if (isTranslated) {
      const isHeld = hasQuantities(plain, this.#unitsOf(named)) && this.#found(links, named);
      return isHeld ? this.#by(named, null) : UNSUPPORTED;
    }
    const stated = { sentence: plain, language: this.#passageLanguage, question: this.#question, before };
    const sections = [
      ...(named.length > 0 ? [{ among: named, isCited: true }] : []),
      ...this.#byLikeness(words).map((index) => ({ among: [index], isCited: false })),
    ];
    for (const [order, section] of sections.entries()) {
      const units = this.#unitsOf(section.among);
      const { outcome, found } = checkClaims(stated, units);
      // A claim that the cited passage, or else the nearest one, denies is not looked for in others.
      if (outcome === 'contradicted' && order === 0) return this.#replace(stated, named, isPlain);
      const isHeld = outcome === 'bound' && this.#holds(words, { ...section, found, isPlain });
      if (isHeld && this.#found(links, section.among)) {
        return this.#by(section.among, nearestUnit(stated, units));
      }
    }
    const isEmpty = unknown + missing === 0 && !words.some(({ counts }) => counts);
    if (named.length === 0 && isEmpty && this.#found(links, all)) {
      return { verdict: 'neutral', chunkIds: [], nearest: null };
    }
    return this.#replace(stated, named, isPlain);
  }

  /** The unit of the cited passages, or else of all, that is nearest to an unsupported sentence. */
  #replace(stated: Stated, named: readonly number[], isPlain: boolean): Judgement {
    if (!isPlain) return UNSUPPORTED;
    const near = (among: readonly number[]) => nearestUnit(stated, this.#unitsOf(among));
    return { ...UNSUPPORTED, nearest: toQuotable(near(named) ?? near([...this.#passages.keys()])) };
  }

  /** Returns whether the word occurs in a passage or in the question. */
  knows({ hash }: WordKey): boolean {
    return this.#questionWords.has(hash) || this.#all.some((vocabulary) => vocabulary.has(hash));
  }

  /** Whether the start of a sentence holds a number or a denial, or says what a passage denies. */
  mayBeClaim(start: string): boolean {
    const language = this.#passageLanguage;
    if (parseQuantities(start).length > 0 || mayDeny(start, language)) return true;
    return isDeniedBy(start, language, this.#unitsOf([...this.#passages.keys()]));
  }

  /** Whether the passages are in a different language than the question, so that words cannot be compared. */
  get isForeign(): boolean {
    return this.#isForeign(this.#question);
  }

  get #all(): readonly ReadonlySet<number>[] {
    this.#vocabularies ??= this.#passages.map(passageVocabulary);
    return this.#vocabularies;
  }

  #unitsOf(indexes: readonly number[]): readonly Unit[] {
    this.#units ??= this.#passages.map((passage) => readUnits(passage, this.#passageLanguage));
    return indexes.flatMap((index) => this.#units?.[index] ?? []);
  }

  get #passageLanguage(): string {
    this.#language ??= detectLanguage(this.#passages[0]?.text ?? '').code;
    return this.#language;
  }

  /** Whether a section has enough of the words of a sentence whose numbers and names it has. */
  #holds(words: readonly WordKey[], { among, isCited, found, isPlain }: Section): boolean {
    const { known, fromQuestion, unknown, missing, counted } = this.#count(words, among);
    // Without a single known word, a citation proves nothing.
    if (words.length > 0 && known + fromQuestion === 0) return false;
    if (found === 0 && (missing > 0 || (words.some((word) => word.exact) && counted === 0))) return false;
    if (!isPlain) return known >= unknown && known >= (isCited ? 0 : 2 * unknown);
    if (isCited) return 2 * (known + found) >= unknown;
    return known >= 2 && known + found >= unknown;
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

  #by(indexes: readonly number[], nearest: Unit | null): Judgement {
    const chunkIds = indexes.flatMap((index) => this.#passages[index]?.chunkId ?? []);
    return { verdict: 'grounded', chunkIds, nearest: toQuotable(nearest) };
  }

  #isForeign(text: string): boolean {
    const language = detectLanguage(text).code;
    const ofPassages = this.#passageLanguage;
    return language !== 'und' && ofPassages !== 'und' && language !== ofPassages;
  }
}

interface Section {
  readonly among: readonly number[];
  readonly isCited: boolean;
  /** How many of the sentence's numbers and names it has. */
  readonly found: number;
  /** Whether the sentence is written in plain letters. */
  readonly isPlain: boolean;
}

const ITEM_MARKER = /^\s*(?:[-*+•‣–]|\(?\d{1,3}[.)])\s+/u;

/** Text that the link guard would change is not quoted in place of a sentence: it may be an attack. */
const MARKUP = /<[a-z/!]|!\[/iu;

function toQuotable(unit: Unit | null): Quotable | null {
  if (unit === null || MARKUP.test(unit.unit.text)) return null;
  return { chunkId: unit.passage.chunkId, text: unit.unit.text.replace(ITEM_MARKER, '') };
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
