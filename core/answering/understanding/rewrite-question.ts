import { AppError } from '../../base/errors.ts';
import { findLanguage } from '../../language/find-language.ts';
import { detectLanguage } from '../../language/language.ts';
import { questionStopWords } from '../../language/stop-words.ts';
import { isUnspaced, segmentWord } from '../../language/tokens.ts';
import { fold, splitWords } from '../../language/words.ts';
import type { Complete, Completion, CompletionRequest } from '../../models/complete.ts';
import { extractWordKeys } from '../generated/word-keys.ts';
import { newestTurns } from '../prompts/fences.ts';
import { rewritePrompt } from '../prompts/rewrite-v2.ts';
import { SEARCH_PHRASES, searchPhrasesPrompt } from '../prompts/search-phrases-v1.ts';
import type { Question } from '../question.ts';
import type { AnswerDraft } from '../writing/answer-draft.ts';
import { translateWords } from './translate-words.ts';

/** The token budget for the conversation before the question. Every follow-up is billed for them. */
const HISTORY_TOKENS = 1_500;

interface Asked {
  readonly question: Question;
  /** The question to rewrite: the visitor's message or one of the questions in it. */
  readonly text: string;
  /** The language of the documents (ISO 639-1) if the question is in a different one, otherwise null. */
  readonly language: string | null;
}

/**
 * Returns the question as a model rewrites it from the conversation and translates it into the language of the documents;
 * null if the result is unusable. Without a model, a glossary translates into English, and nothing else is rewritten.
 */
export async function rewriteQuestion(
  complete: Complete | null,
  { question, text, language }: Asked,
  draft: AnswerDraft,
): Promise<string | null> {
  if (complete === null) {
    return language === 'en' ? translateWords(text, detectLanguage(text).code) : null;
  }
  const turns = newestTurns(question.earlierTurns, HISTORY_TOKENS);
  const { summary, model } = question;
  const hasContext = turns.length > 0 || summary !== null;
  if (!hasContext && language === null) return null;
  const messages = rewritePrompt({ question: text, turns, summary, language });
  const written = await completeOrNull(complete, { messages, model }, draft);
  if (written === null) return null;
  const earlier = [...turns.flatMap((turn) => [turn.question, turn.answer ?? '']), summary ?? ''];
  return validateRewrite(written, { question: text, earlier, language });
}

/** Returns what a model would search for in help pages, at most three phrases; none without a usable one. */
export async function writeSearchPhrases(
  complete: Complete,
  { question, text, language }: Asked,
  draft: AnswerDraft,
): Promise<readonly string[]> {
  const messages = searchPhrasesPrompt({ question: text, language });
  const written = await completeOrNull(complete, { messages, model: question.model }, draft);
  return parsePhrases(written ?? '');
}

const MAX_PHRASE = 100;
const PHRASE_MARKS = /^(?:[-*•]|\d{1,2}[.)])\s{1,4}|^["'“„«]|["'”“»]$/gu;

/** Returns the phrases of a model, one a line, without markers and quotes; lines that are too long are none. */
export function parsePhrases(written: string): readonly string[] {
  return written
    .split('\n')
    .map((line) => line.trim().replace(PHRASE_MARKS, '').replace(PHRASE_MARKS, '').trim())
    .filter((line) => line !== '' && line.length <= MAX_PHRASE)
    .slice(0, SEARCH_PHRASES);
}

/** Asks a model within the time of a rewrite and counts its tokens. Returns null if no model answers. */
async function completeOrNull(
  complete: Complete,
  request: Pick<CompletionRequest, 'messages' | 'model'>,
  draft: AnswerDraft,
): Promise<string | null> {
  const pending = draft.wait(
    complete({ ...request, signal: draft.signal, observe: draft.trace?.observe('search') }),
  );
  const completion = await pending.catch((error: unknown) => nullOnProviderFailure(error, draft.signal));
  draft.spend(completion?.tokensUsed ?? 0);
  return completion?.text ?? null;
}

/** The failure is already logged; the question can be answered without a rewrite. */
function nullOnProviderFailure(error: unknown, signal: AbortSignal): Completion | null {
  signal.throwIfAborted();
  if (error instanceof AppError) return null;
  throw error;
}

const MAX_CHARS = 400;

interface Rewritten {
  readonly question: string;
  readonly earlier: readonly string[];
  /** The language (ISO 639-1) that the question was to be translated into; absent or null if it was not. */
  readonly language?: string | null;
}

/**
 * Returns a model's rewrite of a question if it may be searched for. Returns null if it is no usable rewrite or contains
 * words that occur nowhere in the conversation, which would find answers to a question that was not asked. The words of a
 * translation cannot be compared; it must be in the wanted language and add no number.
 */
export function validateRewrite(
  rewrite: string,
  { question, earlier, language = null }: Rewritten,
): string | null {
  const text = rewrite.trim();
  if (text === '' || text === question.trim() || text.length > MAX_CHARS || /[\n\r]/u.test(text)) return null;
  const known = [question, ...earlier];
  if (language !== null && isTranslation(text, { known, language })) return text;
  return usesOnlyKnownWords(text, known) ? text : null;
}

const NUMBER = /\p{N}+/gu;

function isTranslation(
  text: string,
  { known, language }: { readonly known: readonly string[]; readonly language: string },
): boolean {
  const numbers = new Set(known.flatMap((message) => message.match(NUMBER) ?? []));
  const isNew = (number: string) => !numbers.has(number);
  return detectLanguage(text).code === language && !(text.match(NUMBER) ?? []).some(isNew);
}

/**
 * Returns whether every content word of a text occurs in the conversation, in any inflected form. Question words and
 * prepositions may be new.
 */
function usesOnlyKnownWords(text: string, messages: readonly string[]): boolean {
  const all = fold(messages.join('\n'));
  const known = new Set(extractWordKeys(all).map(({ hash }) => hash));
  const isSmall = smallWords(text);
  return splitWords(fold(text)).every((word) => {
    if (isSmall(word)) return true;
    if (!isUnspaced(word)) return extractWordKeys(word).every(({ hash }) => known.has(hash));
    // In scripts without spaces, pairs of adjacent characters differ in almost every sentence, so segmented words are
    // compared.
    return segmentWord(word).every((part) => isSmall(part) || all.includes(part));
  });
}

function smallWords(text: string): (word: string) => boolean {
  const { code } = detectLanguage(text);
  const asking = questionStopWords(code);
  const prepositions = findLanguage(code)?.grammar?.followUp?.prepositions;
  return (word) => asking.has(word) || prepositions?.has(word) === true;
}
