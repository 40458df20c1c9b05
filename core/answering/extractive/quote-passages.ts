import { AppError } from '../../errors.ts';
import { ANSWER_THRESHOLD } from '../../knowledge/ranking/rank-candidates.ts';
import type { SearchResult } from '../../knowledge/search.ts';
import { bestScore, selectSources, type UsablePassage } from '../answer.ts';
import type { AnswerDraft } from '../answer-draft.ts';
import type { Question } from '../question.ts';
import { sourceLinks } from '../safety/addresses.ts';
import { LinkGuard } from '../safety/link-guard.ts';
import { chooseSentences } from './choose-sentences.ts';

/** Writes the sentences that answer, word for word but for links to foreign hosts; nothing where no sentence does. */
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
  /** Null where nothing was searched. */
  readonly found: SearchResult | null;
  /** What no model wrote, and why. */
  readonly error: unknown;
}

/**
 * Answers in the documents' own words what a model failed to write, where that is wanted at such a failure and they hold
 * an answer. Throws the failure otherwise: it says nothing of what is known.
 */
export async function extractiveFallback(
  { question, found, error }: Failed,
  draft: AnswerDraft,
): Promise<void> {
  const isWanted = error instanceof AppError && question.quotesAt.includes(error.code);
  if (!isWanted || found === null || bestScore(found) < ANSWER_THRESHOLD || !draft.isEmpty) throw error;
  await quotePassages(found, found.ranked.slice(0, question.topK), draft);
  if (draft.isEmpty) throw error;
}
