import { stemmer } from 'stemmer';
import type { FactWords } from '../../language/fact-words.ts';
import { findLanguage, listParts, uniteWords } from '../../language/find-language.ts';
import { english } from '../../language/languages/en/english.ts';
import { numberWords, wordsForOne } from '../../language/quantity-words.ts';
import { questionStopWords, STOP_WORDS } from '../../language/stop-words.ts';

/** The words of all languages by which values are read: the language of a short text is a guess. */
export interface ValueWords {
  readonly months: ReadonlyMap<string, number>;
  readonly numbers: ReadonlyMap<string, number>;
  readonly workdayAdjectives: ReadonlySet<string>;
  readonly noon: ReadonlySet<string>;
  readonly until: ReadonlySet<string>;
  readonly since: ReadonlySet<string>;
  readonly during: ReadonlySet<string>;
  readonly to: ReadonlySet<string>;
  readonly fillers: ReadonlySet<string>;
  readonly numbered: ReadonlySet<string>;
  readonly past: ReadonlySet<string>;
  readonly yes: ReadonlySet<string>;
  readonly no: ReadonlySet<string>;
}

const words = (list: string) => list.trim().split(/\s+/u);
const unite = (part: (facts: FactWords) => string | undefined) =>
  uniteWords(({ facts }) => (facts === undefined ? undefined : part(facts)));

function readMonths(): ReadonlyMap<string, number> {
  const months = new Map<string, number>();
  for (const { months: list } of listParts(({ facts }) => facts)) {
    for (const [index, forms] of words(list).entries()) {
      for (const form of forms.split('|')) months.set(form, index + 1);
    }
  }
  return months;
}

export const valueWords: ValueWords = {
  months: readMonths(),
  numbers: new Map([...numberWords, ...Array.from(wordsForOne, (word) => [word, 1] as const)]),
  workdayAdjectives: unite(({ workdayAdjectives }) => workdayAdjectives),
  noon: unite(({ noon }) => noon),
  until: unite(({ until }) => until),
  since: unite(({ since }) => since),
  during: unite(({ during }) => during),
  to: unite(({ to }) => to),
  fillers: unite(({ fillers }) => fillers),
  numbered: unite(({ numbered }) => numbered),
  past: unite(({ past }) => past),
  yes: unite(({ yes }) => yes),
  no: unite(({ no }) => no),
};

/** The words of one language by which subjects are read, and whether something is so. */
export interface SubjectWords {
  readonly isPlain: (word: string) => boolean;
  /** The stem of a folded word. */
  readonly key: (word: string) => string;
  readonly capitalisesNouns: boolean;
  readonly negations: ReadonlySet<string>;
  readonly bounds: ReadonlySet<string>;
  readonly opposites: ReadonlyMap<string, string>;
  readonly assertions: ReadonlySet<string>;
  readonly contrasts: ReadonlySet<string>;
  readonly restrictions: ReadonlySet<string>;
  readonly hasVerbEnding: (word: string) => boolean;
}

const found = new Map<string, SubjectWords>();

/** Returns the words of a language (ISO 639-1); those of English if nothing is known of it. */
export function findSubjectWords(code: string): SubjectWords {
  const known = found.get(code);
  if (known !== undefined) return known;
  const pack = findLanguage(code);
  const made = makeSubjectWords(
    pack?.facts === undefined ? 'en' : code,
    pack?.facts ?? english.facts,
    pack?.capitalisesNouns === true,
  );
  found.set(code, made);
  return made;
}

function makeSubjectWords(code: string, facts: FactWords, capitalisesNouns: boolean): SubjectWords {
  const set = (list: string) => new Set(words(list));
  const plain = set(facts.plain);
  const stops = code === 'en' ? STOP_WORDS : questionStopWords(code);
  const endings = facts.endings === undefined ? [] : words(facts.endings);
  const synonyms = new Map(
    (facts.synonyms === undefined ? [] : words(facts.synonyms)).map((pair) => splitPair(pair)),
  );
  const verbEndings = facts.verbEndings === undefined ? [] : words(facts.verbEndings);
  return {
    isPlain: (word) => plain.has(word) || stops.has(word) || word.length < 2,
    key: (word) => {
      const usual = synonyms.get(word) ?? word;
      return code === 'en' ? stemmer(usual) : withoutEnding(withoutPrefix(usual, facts.participle), endings);
    },
    capitalisesNouns,
    negations: set(facts.negations),
    bounds: set(facts.bounds),
    opposites: new Map(words(facts.opposites).map((pair) => splitPair(pair))),
    assertions: set(facts.assertions),
    contrasts: set(facts.contrasts),
    restrictions: set(facts.restrictions),
    hasVerbEnding: (word) => verbEndings.some((ending) => word.endsWith(ending)),
  };
}

const SHORTEST_STEM = 4;

function withoutPrefix(word: string, prefix: string | undefined): string {
  if (prefix === undefined || !word.startsWith(prefix)) return word;
  return word.length - prefix.length > SHORTEST_STEM ? word.slice(prefix.length) : word;
}

function withoutEnding(word: string, endings: readonly string[]): string {
  const ending = endings.find((one) => word.endsWith(one) && word.length - one.length >= SHORTEST_STEM);
  return ending === undefined ? word : word.slice(0, -ending.length);
}

function splitPair(pair: string): readonly [string, string] {
  const [word = '', opposite = ''] = pair.split('=');
  return [word, opposite];
}
