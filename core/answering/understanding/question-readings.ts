import type { Question } from '../question.ts';
import { standaloneQuestion } from '../standalone-question.ts';

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
export async function questionReadings(
  { text, earlierTurns }: Pick<Question, 'text' | 'earlierTurns'>,
  rewrite: LaterReading,
): Promise<QuestionReadings> {
  const { searchText, followUp } = standaloneQuestion(text, earlierTurns);
  if (!followUp) return { first: text, others: earlierTurns.length === 0 ? [] : [rewrite] };
  // It may have been a new topic after all: then it is found as it is.
  const plain = [async () => searchText, async () => text];
  return { first: (await rewrite()) ?? searchText, others: plain };
}
