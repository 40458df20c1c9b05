import { AppError } from '../errors.ts';
import { ANSWER_THRESHOLD } from '../knowledge/confidence.ts';
import type { SearchResult } from '../knowledge/search.ts';
import type { AnswerDraft } from './answer-draft.ts';
import { bestScore } from './best-score.ts';
import type { Question } from './question.ts';
import { quotePassages } from './quote-passages.ts';

interface Failed {
  readonly question: Question;
  /** Null where nothing was searched. */
  readonly found: SearchResult | null;
  /** What no model wrote, and why. */
  readonly error: unknown;
}

/**
 * Answers in the documents' own words what a model failed to write, where that is wanted at such a failure and they hold
 * an answer. Throws the failure otherwise: it says nothing of what is known.
 */
export async function quoteInstead({ question, found, error }: Failed, draft: AnswerDraft): Promise<void> {
  const isWanted = error instanceof AppError && question.quotesAt.includes(error.code);
  if (!isWanted || found === null || bestScore(found) < ANSWER_THRESHOLD || !draft.isEmpty) throw error;
  await quotePassages(found, found.ranked.slice(0, question.topK), draft);
  if (draft.isEmpty) throw error;
}
