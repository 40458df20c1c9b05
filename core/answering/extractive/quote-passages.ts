import { AppError } from '../../errors.ts';
import { ANSWER_THRESHOLD } from '../../knowledge/ranking/rank-candidates.ts';
import type { SearchResult } from '../../knowledge/search.ts';
import { bestScore, selectSources, type UsablePassage } from '../answer.ts';
import type { AnswerDraft } from '../answer-draft.ts';
import type { Question } from '../question.ts';
import { sourceLinks } from '../safety/addresses.ts';
import { LinkGuard } from '../safety/link-guard.ts';
import { chooseSentences } from './choose-sentences.ts';

/**
 * Adds the sentences that answer the question to the draft, without links to foreign hosts. Adds nothing if none answers.
 */
export async function quotePassages(
  { question, statistics }: SearchResult,
  usable: readonly UsablePassage[],
  draft: AnswerDraft,
): Promise<void> {
  const chosen = chooseSentences(question, usable, statistics);
  if (chosen.text === '') return;
  const quoted = new Set(chosen.sentences.map((sentence) => sentence.chunkId));
  draft.restOn({ sources: selectSources(usable, ({ chunkId }) => quoted.has(chunkId)) });
  const guard = new LinkGuard(sourceLinks(usable.map(({ url, body }) => ({ url, text: body }))));
  await draft.say(guard.push(chosen.text) + guard.end());
}

interface Failed {
  readonly question: Question;
  /** Null if nothing was searched. */
  readonly found: SearchResult | null;
  /** The error of the failed models. */
  readonly error: unknown;
}

/**
 * Answers with quotes from the documents after the models failed, if the request allows it for this error and the
 * documents contain an answer. Otherwise throws the error, because a fallback message would wrongly claim that nothing is
 * known.
 */
export async function extractiveFallback(
  { question, found, error }: Failed,
  draft: AnswerDraft,
): Promise<void> {
  const isAllowed = error instanceof AppError && question.quotesAt.includes(error.code);
  if (!isAllowed || found === null || bestScore(found) < ANSWER_THRESHOLD || !draft.isEmpty) throw error;
  await quotePassages(found, found.ranked.slice(0, question.topK), draft);
  if (draft.isEmpty) throw error;
}
