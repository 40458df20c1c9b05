import { type Language, questionLanguage } from '../text/language.ts';
import { questionWords } from '../text/stop-words.ts';
import {
  dictionaryWords,
  foldedWords,
  grams,
  isUnspaced,
  type Tokens,
  termHash,
  tokenise,
  tokensOf,
  wordTokens,
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
export interface Reading {
  readonly tokens: Tokens;
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
  readonly readings: readonly Reading[];
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
  const language = questionLanguage(text);
  const kinds = readingsOf(text, language);
  const terms = [
    ...new Set([...kinds.flatMap((tokens) => tokenise(text, tokens)), ...nameTokens(text, kinds)]),
  ];
  const readings = kinds.map((tokens) => readingOf(text, tokens, language));
  return { text, language, terms, hashes: terms.map(termHash), readings };
}

function readingsOf(text: string, language: Language): readonly Tokens[] {
  const natural = tokensOf(language);
  if (natural === 'grams') return ['grams', 'stems'];
  if (natural === 'syllables') return ['syllables', 'stems'];
  const unsure = language.class === 'english' && text.trim().split(/\s+/u).length <= FEW_WORDS;
  return unsure ? ['stems', 'grams'] : ['stems'];
}

function nameTokens(text: string, kinds: readonly Tokens[]): readonly string[] {
  if (kinds.length > 1) return [];
  return (text.match(NAME) ?? []).flatMap((name) => tokenise(name, 'grams'));
}

function readingOf(text: string, tokens: Tokens, language: Language): Reading {
  const told = tokens === 'stems' ? text.replace(DEGREE, ' ') : text;
  const all = distinct(foldedWords(told, tokens).flatMap((word) => questionWord(word, tokens)));
  const asking = questionWords(language.code);
  const telling = all.filter(({ surface }) => !asking.has(surface) && !KANA.test(surface));
  return { tokens, words: telling.length === 0 ? all : telling };
}

function questionWord(word: string, tokens: Tokens): readonly QuestionWord[] {
  if (isUnspaced(word)) {
    return dictionaryWords(word).map((surface) => withTerms(surface, [surface, ...grams(surface, 2)]));
  }
  const terms = wordTokens(word, tokens);
  return terms.length === 0 ? [] : [withTerms(word, terms)];
}

function withTerms(surface: string, tokens: readonly string[]): QuestionWord {
  const terms = [...new Set(tokens)];
  return { surface, terms, hashes: terms.map(termHash) };
}

function distinct(words: readonly QuestionWord[]): readonly QuestionWord[] {
  return [...new Map(words.map((word) => [word.surface, word])).values()];
}
