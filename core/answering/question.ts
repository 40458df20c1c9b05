import type { EarlierTurn } from './standalone-question.ts';

/** A question that was let in, with all that its answer depends on. */
export interface Question {
  readonly workspaceId: string;
  readonly text: string;
  /** Oldest first. */
  readonly earlierTurns: readonly EarlierTurn[];
  /** How many passages the answer may draw on, 1 to 20. */
  readonly topK: number;
  readonly audience: readonly string[];
  readonly documentIds: readonly string[] | null;
  /** The workspace's own words for "I do not know"; null takes ours, in the language of the question. */
  readonly fallbackMessage: string | null;
}
