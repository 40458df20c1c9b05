import { detectLanguage, type Language } from '../text/language.ts';
import { questionStopWords } from '../text/stop-words.ts';
import {
  characterGrams,
  isUnspaced,
  segmentWord,
  splitFoldedWords,
  type TokenKind,
  termHash,
  tokenise,
  tokeniseWord,
  tokenKindFor,
} from '../text/tokens.ts';

/** A word of the question with the tokens that stand for it in the index. */
export interface QuestionWord {
  readonly surface: string;
  /** Distinct, at least one. */
  readonly terms: readonly string[];
  /** `termHash` of each of `terms`, same order. */
  readonly hashes: readonly number[];
}

/** The question as documents of one kind would have it in the index. */
export interface QuestionReading {
  readonly tokens: TokenKind;
  /** Distinct words that carry meaning, in the order of the question. */
  readonly words: readonly QuestionWord[];
}

/** A question as the search needs it: analysed once, used by every step. */
export interface AnalysedQuestion {
  readonly text: string;
  readonly language: Language;
  /** Distinct tokens to look up in the index. */
  readonly terms: readonly string[];
  /** `termHash` of each of `terms`, same order. */
  readonly hashes: readonly number[];
  /** Likeliest first; more than one where the documents may be in another language, or the text is too short to tell. */
  readonly readings: readonly QuestionReading[];
}

/** Up to so many words the language is a guess, and every way of indexing is looked up. */
const FEW_WORDS = 3;
/** `How long` asks for a time: what answers it says neither word. */
const DEGREE =
  /\bhow (?:long|much|many|often|far|old|tall|big|large|high|deep|wide|fast|soon|quickly|late|early)\b/giu;
/** In Japanese the endings and particles: the matter is in the other characters. */
const KANA = /^\p{Script=Hiragana}+$/u;
/** A word with a capital inside the sentence, or with a digit: a name, which other languages share. */
const NAME =
  /(?=\p{Lu})(?<=[\p{L}\p{N},;:'’)]\s+["'“(]?)\p{Lu}[\p{L}\p{N}]{2,}|(?<![\p{L}\p{N}])[\p{L}\p{N}]*(?:\p{L}\p{N}|\p{N}\p{L}|\p{Ll}\p{Lu})[\p{L}\p{N}]*/gu;

/** Everything the search has to know of a question's words; `hashes` is what to look up in the index. */
export function analyseQuestion(text: string): AnalysedQuestion {
  const language = detectLanguage(text);
  const kinds = listTokenKinds(text, language);
  const terms = [
    ...new Set([...kinds.flatMap((tokens) => tokenise(text, tokens)), ...nameTokens(text, kinds)]),
  ];
  const readings = kinds.map((tokens) => buildReading(text, tokens, language));
  return { text, language, terms, hashes: terms.map(termHash), readings };
}

function listTokenKinds(text: string, language: Language): readonly TokenKind[] {
  const natural = tokenKindFor(language);
  if (natural === 'grams') return ['grams', 'stems'];
  if (natural === 'syllables') return ['syllables', 'stems'];
  const unsure = language.class === 'english' && text.trim().split(/\s+/u).length <= FEW_WORDS;
  return unsure ? ['stems', 'grams'] : ['stems'];
}

function nameTokens(text: string, kinds: readonly TokenKind[]): readonly string[] {
  if (kinds.length > 1) return [];
  return (text.match(NAME) ?? []).flatMap((name) => tokenise(name, 'grams'));
}

function buildReading(text: string, tokens: TokenKind, language: Language): QuestionReading {
  const told = tokens === 'stems' ? text.replace(DEGREE, ' ') : text;
  const all = distinct(splitFoldedWords(told, tokens).flatMap((word) => buildQuestionWord(word, tokens)));
  const asking = questionStopWords(language.code);
  const telling = all.filter(({ surface }) => !asking.has(surface) && !KANA.test(surface));
  return { tokens, words: telling.length === 0 ? all : telling };
}

function buildQuestionWord(word: string, tokens: TokenKind): readonly QuestionWord[] {
  if (isUnspaced(word)) {
    return segmentWord(word).map((surface) => withTerms(surface, [surface, ...characterGrams(surface, 2)]));
  }
  const terms = tokeniseWord(word, tokens);
  return terms.length === 0 ? [] : [withTerms(word, terms)];
}

function withTerms(surface: string, tokens: readonly string[]): QuestionWord {
  const terms = [...new Set(tokens)];
  return { surface, terms, hashes: terms.map(termHash) };
}

function distinct(words: readonly QuestionWord[]): readonly QuestionWord[] {
  return [...new Map(words.map((word) => [word.surface, word])).values()];
}
