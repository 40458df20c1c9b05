import type { Answer, DecisionRecord, EarlyEnd } from '../../contract/answer.ts';
import type { Customer } from '../../contract/conversation-values.ts';
import type { EarlierMessage } from '../../contract/facets.ts';
import type { SkillEffect } from '../../contract/skill.ts';
import type { StoredTrace } from '../../contract/trace/stored-trace.ts';
import type { Reservation } from '../../limits/quota.ts';
import { raisesError } from '../../storage/sql-errors.ts';
import type { AwaitedReply } from '../conversation-memory.ts';

/** A question and its answer, as they are stored. */
export interface Turn {
  readonly workspaceId: string;
  readonly channel: string;
  /** Null starts a new conversation. */
  readonly conversationId: string | null;
  readonly sessionId: string | null;
  /** Null for an anonymous visitor: the stored customer then stays unchanged. */
  readonly customer: Customer | null;
  /**
   * The integrator's id of the visitor, if it was verified. From then on only that visitor can access the conversation.
   */
  readonly userId: string | null;
  /** The same as the request stated it, without a proof. It opens nothing. Null or absent: it stated none. */
  readonly statedUserId?: string | null | undefined;
  readonly question: string;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly answer: Answer;
  /** How the answer was decided; null for a canned reply. */
  readonly decision: DecisionRecord | null;
  /** How the answer was made. Null or absent: the workspace keeps no traces, or the reply is a canned one. */
  readonly trace?: StoredTrace | null | undefined;
  /** The sentence that a machine answers, which goes out before the answer. Null or absent: none does. */
  readonly disclosure?: string | null | undefined;
  readonly latencyMs: number;
  /** Why the answer is incomplete; null if it is complete. */
  readonly ended: EarlyEnd | null;
  /** The effects of skills on the conversation. */
  readonly effects: readonly SkillEffect[];
  /** A skill's request to the visitor. Null clears an earlier request; undefined if there was none. */
  readonly awaited: AwaitedReply | null | undefined;
  /** The owner and month to count the turn in, if it was not counted before it was answered. */
  readonly countedFor?: Reservation | undefined;
  /** Messages that precede a conversation started by this turn. */
  readonly overheard?: readonly EarlierMessage[] | undefined;
}

export interface StoredTurn {
  readonly conversationId: string;
  /** The id of the answer. */
  readonly messageId: string;
}

/** An agent took the conversation over while the answer was generated. The answer is discarded. */
export class HumanTakeoverError extends Error {
  constructor() {
    super('a person took the conversation over');
    this.name = 'TakenOver';
  }
}

/** The SQLSTATE that companions raise on a takeover. */
const sqlState = 'PY002';

export function isHumanTakeoverError(error: unknown): boolean {
  return raisesError(error, sqlState);
}
