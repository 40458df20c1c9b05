import { ANSWER_THRESHOLD } from '../knowledge/confidence.ts';
import { type SearchResult, searchKnowledge } from '../knowledge/search.ts';
import type { AnswerDraft } from './answer-draft.ts';
import type { EngineDependencies } from './engine.ts';
import type { Question } from './question.ts';
import { standaloneQuestion } from './standalone-question.ts';

/** A follow-up is searched with what it refers to; where that finds no answer it may have been a new topic after all. */
export async function findPassages(
  dependencies: Pick<EngineDependencies, 'database' | 'embedder'>,
  question: Question,
  draft: AnswerDraft,
): Promise<SearchResult> {
  const { searchText, followUp } = standaloneQuestion(question.text, question.earlierTurns);
  const find = (text: string) =>
    draft.wait(searchKnowledge(dependencies, { ...question, question: text, signal: draft.signal }));
  draft.fire({ skill: 'knowledge_search', effects: [] });
  const found = await find(searchText);
  if (!followUp || bestScore(found) >= ANSWER_THRESHOLD) return found;
  const alone = await find(question.text);
  return bestScore(alone) > bestScore(found) ? alone : found;
}

/** 0 where nothing was found. */
export function bestScore(found: SearchResult | null): number {
  return found?.ranked[0]?.score ?? 0;
}
