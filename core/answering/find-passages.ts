import { type SearchDependencies, type SearchResult, searchKnowledge } from '../knowledge/search.ts';
import type { AnswerDraft } from './answer-draft.ts';
import type { Question } from './question.ts';
import type { QuestionReadings } from './understanding/question-readings.ts';
import { searchReadings } from './understanding/search-readings.ts';

interface Sought {
  readonly question: Question;
  readonly readings: QuestionReadings;
}

/** What the documents that the visitor may read hold of a question. */
export function findPassages(
  dependencies: SearchDependencies,
  { question, readings }: Sought,
  draft: AnswerDraft,
): Promise<SearchResult> {
  draft.fire({ skill: 'knowledge_search', effects: [] });
  return searchReadings(readings, (text) =>
    draft.wait(searchKnowledge(dependencies, { ...question, question: text, signal: draft.signal })),
  );
}
