import { AppError } from '../../errors.ts';
import { detectLanguage } from '../../knowledge/text/language.ts';
import { questionStopWords } from '../../knowledge/text/stop-words.ts';
import { isUnspaced, segmentWord } from '../../knowledge/text/tokens.ts';
import { fold, splitWords } from '../../knowledge/text/words.ts';
import type { AnswerDraft } from '../answer-draft.ts';
import { extractWordKeys } from '../generated/word-keys.ts';
import type { Complete, Completion } from '../models/complete.ts';
import { newestTurns } from '../prompts/fences.ts';
import { rewritePrompt } from '../prompts/rewrite-v1.ts';
import type { Question } from '../question.ts';
import { followUpSigns } from './follow-up-signs.ts';

/** Of the conversation before the question: every follow-up pays for them. */
const REMEMBERED_TOKENS = 1_500;

/** The question as a model understands it from the conversation; null where there is no model, or none that helps. */
export async function rewriteQuestion(
  complete: Complete | null,
  question: Question,
  draft: AnswerDraft,
): Promise<string | null> {
  const turns = newestTurns(question.earlierTurns, REMEMBERED_TOKENS);
  const { text, summary, model } = question;
  if (complete === null || (turns.length === 0 && summary === null)) return null;
  const messages = rewritePrompt({ question: text, turns, summary });
  const asked = draft.wait(complete({ messages, model, signal: draft.signal }));
  const completion = await asked.catch((error: unknown) => nullOnProviderFailure(error, draft.signal));
  if (completion === null) return null;
  draft.spend(completion.tokensUsed);
  const earlier = [...turns.flatMap((turn) => [turn.question, turn.answer ?? '']), summary ?? ''];
  return validateRewrite(completion.text, { question: text, earlier });
}

/** Providers that fail were logged where they failed, and the question is still one without them. */
function nullOnProviderFailure(error: unknown, signal: AbortSignal): Completion | null {
  signal.throwIfAborted();
  if (error instanceof AppError) return null;
  throw error;
}

const LONGEST = 400;

/**
 * A model's rewriting of a question, as far as it may be searched for; null where it is none, or brings in words that
 * nobody said: those would find answers to a question that nobody asked.
 */
export function validateRewrite(
  rewriting: string,
  { question, earlier }: { readonly question: string; readonly earlier: readonly string[] },
): string | null {
  const text = rewriting.trim();
  if (text === '' || text === question.trim() || text.length > LONGEST || /[\n\r]/u.test(text)) return null;
  return usesOnlyKnownWords(text, [question, ...earlier]) ? text : null;
}

/**
 * Whether every word of a text that tells something is among what was said, in whatever form. Words that only ask or
 * join others may be new.
 */
function usesOnlyKnownWords(text: string, said: readonly string[]): boolean {
  const all = fold(said.join('\n'));
  const known = new Set(extractWordKeys(all).map(({ hash }) => hash));
  const isSmall = smallWords(text);
  return splitWords(fold(text)).every((word) => {
    if (isSmall(word)) return true;
    if (!isUnspaced(word)) return extractWordKeys(word).every(({ hash }) => known.has(hash));
    // Where nothing parts the words, what stands beside one another is new in every other sentence.
    return segmentWord(word).every((part) => isSmall(part) || all.includes(part));
  });
}

function smallWords(text: string): (word: string) => boolean {
  const { code } = detectLanguage(text);
  const asking = questionStopWords(code);
  const prepositions = followUpSigns(code)?.prepositions;
  return (word) => asking.has(word) || prepositions?.has(word) === true;
}
