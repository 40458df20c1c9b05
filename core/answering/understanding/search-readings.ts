import { ANSWER_THRESHOLD } from '../../knowledge/ranking/rank-candidates.ts';
import { type SearchDependencies, type SearchResult, searchKnowledge } from '../../knowledge/search.ts';
import { bestScore } from '../answer.ts';
import type { AnswerDraft } from '../answer-draft.ts';
import type { Question } from '../question.ts';
import { standaloneQuestion } from './standalone-question.ts';

/** A reading that is computed on demand; null if there is none. */
type LazyReading = () => Promise<string | null>;

/** The possible meanings of a question, as texts to search for. */
export interface QuestionReadings {
  readonly first: string;
  /** Tried in order if the previous ones found no answer, best first. */
  readonly others: readonly LazyReading[];
}

/**
 * Returns the readings of a question in its conversation. `rewrite` costs time and tokens: it is called at once for a
 * follow-up, and for any other question only if the question itself finds nothing.
 */
export async function createReadings(
  { text, earlierTurns }: Pick<Question, 'text' | 'earlierTurns'>,
  rewrite: LazyReading,
): Promise<QuestionReadings> {
  const { searchText, followUp } = standaloneQuestion(text, earlierTurns);
  if (!followUp) return { first: text, others: earlierTurns.length === 0 ? [] : [rewrite] };
  // If the question is a new topic after all, its own words find it.
  const plain = [async () => searchText, async () => text];
  return { first: (await rewrite()) ?? searchText, others: plain };
}

interface PassageSearch {
  readonly question: Question;
  readonly readings: QuestionReadings;
}

/** Searches the documents that the visitor may read. */
export function findPassages(
  dependencies: SearchDependencies,
  { question, readings }: PassageSearch,
  draft: AnswerDraft,
): Promise<SearchResult> {
  draft.fire({ skill: 'knowledge_search', effects: [] });
  return searchReadings(readings, (text) =>
    draft.wait(searchKnowledge(dependencies, { ...question, question: text, signal: draft.signal })),
  );
}

/** Returns the result of the first reading that finds an answer; otherwise the result with the best score. */
export async function searchReadings(
  { first, others }: QuestionReadings,
  find: (text: string) => Promise<SearchResult>,
): Promise<SearchResult> {
  const tried = new Set([first]);
  let best = await find(first);
  for (const reading of others) {
    if (bestScore(best) >= ANSWER_THRESHOLD) return best;
    const text = await reading();
    if (text === null || tried.has(text)) continue;
    tried.add(text);
    const found = await find(text);
    if (bestScore(found) > bestScore(best)) best = found;
  }
  return best;
}
