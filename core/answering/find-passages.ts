import type { SearchResult } from '../knowledge/knowledge.ts';
import type { AnswerDraft } from './answer-draft.ts';
import type { EngineDependencies } from './engine.ts';
import type { Question } from './question.ts';
import type { QuestionReadings } from './understanding/question-readings.ts';
import { searchReadings } from './understanding/search-readings.ts';

interface Sought {
  readonly question: Question;
  readonly readings: QuestionReadings;
}

/** What the documents that the visitor may read hold of a question. */
export function findPassages(
  { knowledge }: Pick<EngineDependencies, 'knowledge'>,
  { question, readings }: Sought,
  draft: AnswerDraft,
): Promise<SearchResult> {
  draft.fire({ skill: 'knowledge_search', effects: [] });
  return searchReadings(readings, (text) =>
    draft.wait(knowledge.search({ ...question, question: text, signal: draft.signal })),
  );
}
