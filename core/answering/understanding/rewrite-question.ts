import { AppError } from '../../errors.ts';
import type { AnswerDraft } from '../answer-draft.ts';
import type { Complete, Completion } from '../models/complete.ts';
import { newestTurns } from '../prompts/newest-turns.ts';
import { rewritePrompt } from '../prompts/rewrite-v1.ts';
import type { Question } from '../question.ts';
import { usableRewriting } from './usable-rewriting.ts';

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
  const completion = await asked.catch((error: unknown) => withoutModel(error, draft.signal));
  if (completion === null) return null;
  draft.spend(completion.tokensUsed);
  const earlier = [...turns.flatMap((turn) => [turn.question, turn.answer ?? '']), summary ?? ''];
  return usableRewriting(completion.text, { question: text, earlier });
}

/** Providers that fail were logged where they failed, and the question is still one without them. */
function withoutModel(error: unknown, signal: AbortSignal): Completion | null {
  signal.throwIfAborted();
  if (error instanceof AppError) return null;
  throw error;
}
