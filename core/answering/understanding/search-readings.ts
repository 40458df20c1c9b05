import { ANSWER_THRESHOLD } from '../../knowledge/ranking/rank-candidates.ts';
import { type SearchDependencies, type SearchResult, searchKnowledge } from '../../knowledge/search.ts';
import { bestScore } from '../answer.ts';
import type { AnswerDraft } from '../answer-draft.ts';
import type { Question } from '../question.ts';
import { standaloneQuestion } from './standalone-question.ts';

/** A reading that is made when it is needed; null where there is none. */
type LaterReading = () => Promise<string | null>;

/** What a question may mean, as texts to search for. */
export interface QuestionReadings {
  readonly first: string;
  /** Where those before found no answer, best first. */
  readonly others: readonly LaterReading[];
}

/**
 * How a question reads after what was said before it. `rewrite` costs time and tokens: it is called at once for a
 * follow-up, and for any other question only where that alone finds nothing.
 */
export async function createReadings(
  { text, earlierTurns }: Pick<Question, 'text' | 'earlierTurns'>,
  rewrite: LaterReading,
): Promise<QuestionReadings> {
  const { searchText, followUp } = standaloneQuestion(text, earlierTurns);
  if (!followUp) return { first: text, others: earlierTurns.length === 0 ? [] : [rewrite] };
  // It may have been a new topic after all: then it is found as it is.
  const plain = [async () => searchText, async () => text];
  return { first: (await rewrite()) ?? searchText, others: plain };
}

interface PassageSearch {
  readonly question: Question;
  readonly readings: QuestionReadings;
}

/** What the documents that the visitor may read hold of a question. */
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

/** What the first reading finds that finds an answer; where none does, the nearest to one. */
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
