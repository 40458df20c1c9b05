import type { SearchResult } from '../knowledge/search.ts';
import type { QuestionPart } from './understanding/split-questions.ts';

/**
 * A reading that is computed on demand from the result of the previous ones; null if there is none. Several texts are
 * searched together, and their passages join those already found.
 */
export interface LazyReading {
  (found: Pick<SearchResult, 'ranked'>): Promise<string | readonly string[] | null>;
  /** Whether it leaves out what was said: it is not tried if an answer was found, even one about another thing. */
  readonly dropsTopic?: boolean;
  /** Whether it adds a topic that the message may not mean: what it finds must be about the words of the message. */
  readonly addsTopic?: boolean;
}

/** The possible meanings of a question, as texts to search for. */
export interface QuestionReadings {
  readonly first: string;
  /** Readings to try in order, best first, if the previous ones found no answer. */
  readonly others: readonly LazyReading[];
  /** Words of a message in a conversation: a passage that answers it holds half of them. Empty: any passage may. */
  readonly own: readonly string[];
  /** Whether the message may continue the one before although no sign says so: only a clear answer ends the search. */
  readonly mayFollow?: boolean;
}

/** One of the questions in a message with its readings. */
export interface PartReadings extends QuestionPart {
  readonly readings: QuestionReadings;
}

/** One of the questions in a message, with the passages found for it. */
export interface FoundPart extends QuestionPart {
  readonly found: SearchResult;
  /** The results for each of the things that the question compares. */
  readonly compared: readonly SearchResult[];
}

/** The result of a skill, for a model to word. */
export interface SkillFinding {
  /** The name of the skill. */
  readonly skill: string;
  readonly text: string;
}

/** A message as it was understood. */
export type Asked =
  | { readonly kind: 'reply'; readonly by: 'skill' | 'small talk'; readonly text: string }
  | {
      readonly kind: 'questions';
      /** The questions in the message; empty if the workspace does not search its documents. */
      readonly parts: readonly PartReadings[];
      /** The results of skills that ran already. */
      readonly findings: readonly SkillFinding[];
    };
