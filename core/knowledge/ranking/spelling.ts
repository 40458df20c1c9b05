import { editDistance } from '../../base/edit-distance.ts';
import { GENERIC_QUESTION_WORDS, STOP_WORDS } from '../../language/stop-words.ts';
import { splitFoldedWords, stemWord, termHash } from '../../language/tokens.ts';
import { fold } from '../../language/words.ts';
import { readVocabularyWords } from '../embedding/vocabulary-words.ts';
import { type Candidate, type CorpusStatistics, indexedText } from '../passage.ts';
import { type AnalysedQuestion, weighQuestion } from './analyse-question.ts';

/** Shorter words are abbreviations as often as misspelt: `em`, `gd`. */
const MIN_LENGTH = 3;
/** Shorter words have too many neighbours for a correction by a word of the passages or by a frequent word. */
const MIN_CONTENT_LENGTH = 4;
/** From this length on, a correction by two edits is still safe. */
const TWO_EDIT_LENGTH = 8;
/** Between equally near words the one in more candidates wins; counts above this are equal. */
const MAX_COUNTED = 40;
/** The cost of a swap of neighbours, the most frequent typing error. Any other edit costs 1. */
const SWAP_COST = 0.5;
/** The cost of a small word: that of the most frequent word of the candidates at the same distance. */
const SMALL_WORD_COST = 0.5;
const CHUNK = /\S+/gu;
/** A word of letters with its punctuation. Codes, addresses and joined words are no such word. */
const WRITTEN = /^([^\p{L}\p{N}]*)(\p{Script=Latin}+)([^\p{L}\p{N}]*)$/u;
/** A capital inside a word, as in a name: `iPhone`, `GHO`. */
const CAPITAL_INSIDE = /.\p{Lu}/u;
const VOWEL = /[aeiou]/u;
const VOWELS = /[aeiou]/gu;

interface FoundCandidates {
  readonly statistics: CorpusStatistics;
  readonly passages: readonly Candidate[];
}

const SMALL_WORDS = [...STOP_WORDS].filter((word) => word.length > 1);
const FREQUENT_WORDS = [...new Set([...SMALL_WORDS, ...GENERIC_QUESTION_WORDS])];

/**
 * Returns an English question with its misspelt words replaced, null if none is. A word is misspelt if neither a document
 * nor the list of English words has it. It is replaced by the nearest word of the candidates, which were found by the other
 * words and the vector, or by a function word. Search again with the new text: its vector and its terms differ.
 */
export function correctSpelling(
  question: AnalysedQuestion,
  { statistics, passages }: FoundCandidates,
): string | null {
  // A short text may be detected as another language; the reading that fits the documents tells.
  if (weighQuestion(question, statistics).tokens !== 'stems') return null;
  const { text } = question;
  let vocabulary: ReadonlyMap<string, number> | undefined;
  const corrected = text.replace(CHUNK, (chunk) => {
    const [, before = '', written = '', after = ''] = WRITTEN.exec(chunk) ?? [];
    const word = fold(written);
    if (word.length < MIN_LENGTH || CAPITAL_INSIDE.test(written)) return chunk;
    const [stem] = stemWord(word);
    if (stem === undefined || statistics.documentFrequency.has(termHash(stem)) || listEnglish().has(word))
      return chunk;
    vocabulary ??= countCandidateWords(passages);
    const best = nearestWord(word, vocabulary);
    return best === null ? chunk : `${before}${best}${after}`;
  });
  return corrected === text ? null : corrected;
}

let englishWords: ReadonlySet<string> | undefined;

/** The README of `core/knowledge` tells more. */
function listEnglish(): ReadonlySet<string> {
  englishWords ??= new Set([...FREQUENT_WORDS, ...readVocabularyWords()]);
  return englishWords;
}

/** Counts the candidates that contain each word. */
function countCandidateWords(candidates: readonly Candidate[]): ReadonlyMap<string, number> {
  const vocabulary = new Map<string, number>();
  for (const { title, headings, body } of candidates) {
    for (const word of new Set(splitFoldedWords(indexedText(title ?? '', headings, body), 'stems'))) {
      vocabulary.set(word, (vocabulary.get(word) ?? 0) + 1);
    }
  }
  return vocabulary;
}

interface Correction {
  readonly word: string;
  readonly cost: number;
}

function nearestWord(word: string, vocabulary: ReadonlyMap<string, number>): string | null {
  const small = nearestSmallWord(word);
  const content = nearestContentWord(word, vocabulary);
  if (small === null || content === null) return small?.word ?? content?.word ?? null;
  return small.cost <= content.cost ? small.word : content.word;
}

/** Returns the only frequent word that is a swap, the missing vowels, or one edit away; null if there are several. */
function nearestSmallWord(word: string): Correction | null {
  const [swapped, second] = FREQUENT_WORDS.filter((other) => isSwap(word, other));
  if (swapped !== undefined && second === undefined) return { word: swapped, cost: 0 };
  if (!VOWEL.test(word)) {
    const [full, other] = FREQUENT_WORDS.filter((one) => one.replace(VOWELS, '') === word);
    if (full !== undefined && other === undefined) return { word: full, cost: SMALL_WORD_COST };
  }
  const known = word.length < MIN_CONTENT_LENGTH ? SMALL_WORDS : FREQUENT_WORDS;
  const [near, another] = known.filter(
    (one) => one[0] === word[0] && Math.abs(one.length - word.length) <= 1 && editDistance(word, one) === 1,
  );
  if (near === undefined || another !== undefined) return null;
  return { word: withApostrophe(word, near), cost: SMALL_WORD_COST };
}

/** `doesnt` and `whats` lack an apostrophe only. */
function withApostrophe(word: string, near: string): string {
  return word === `${near}t` || word === `${near}s` ? `${near}'${word.slice(-1)}` : near;
}

/** Typing errors rarely affect the first letter, so candidates must share it. */
function nearestContentWord(word: string, vocabulary: ReadonlyMap<string, number>): Correction | null {
  if (word.length < MIN_CONTENT_LENGTH) return null;
  const most = word.length >= TWO_EDIT_LENGTH ? 2 : 1;
  let best: Correction | null = null;
  for (const [other, count] of vocabulary) {
    if (other[0] !== word[0] || other.length < MIN_CONTENT_LENGTH) continue;
    if (Math.abs(other.length - word.length) > most) continue;
    const distance = isSwap(word, other) ? SWAP_COST : editDistance(word, other);
    const cost = distance - Math.min(count, MAX_COUNTED) / (2 * MAX_COUNTED);
    if (distance <= most && (best === null || cost < best.cost)) best = { word: other, cost };
  }
  return best;
}

/** Whether two words differ by two neighbouring letters that changed places. */
function isSwap(one: string, other: string): boolean {
  if (one.length !== other.length || one === other) return false;
  let at = 0;
  while (one[at] === other[at]) at += 1;
  const isTurned = one[at] === other[at + 1] && one[at + 1] === other[at];
  return isTurned && one.slice(at + 2) === other.slice(at + 2);
}
