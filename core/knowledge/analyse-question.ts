import type { AnalysedQuestion, QuestionWord, Reading } from './analysed-question.ts';
import type { Language } from './language.ts';
import { questionLanguage } from './question-language.ts';
import { questionWords } from './question-words.ts';
import { termHash } from './term-hash.ts';
import { foldedWords, tokenise, tokensOf } from './tokenise.ts';
import { dictionaryWords, grams, isUnspaced, type Tokens, wordTokens } from './word-tokens.ts';

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
