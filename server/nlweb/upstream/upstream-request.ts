import type { EarlierTurn } from '../../../core/answering/standalone-question.ts';

export type UpstreamMode = 'list' | 'summarize' | 'generate';

/** A question in the form of the open NLWeb protocol. */
export interface UpstreamRequest {
  readonly text: string;
  /** Oldest first. */
  readonly earlierTurns: readonly EarlierTurn[];
  readonly locale: string | null;
  readonly mode: UpstreamMode;
  /** The caller's own; null where it sent none. */
  readonly queryId: string | null;
  readonly streaming: boolean;
}
