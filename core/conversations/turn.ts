import type { Answer } from '../answering/answer.ts';

/** Who the visitor is, as far as somebody vouched for it. */
export interface Customer {
  readonly email: string | null;
  readonly name: string | null;
  readonly phone: string | null;
}

/** A question and its answer, as they are stored. */
export interface Turn {
  readonly workspaceId: string;
  readonly channel: string;
  /** Null begins a conversation. */
  readonly conversationId: string | null;
  readonly sessionId: string | null;
  /** Null when the visitor is anonymous: what is known of the customer then stays. */
  readonly customer: Customer | null;
  readonly question: string;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly answer: Answer;
  readonly latencyMs: number;
}

export interface StoredTurn {
  readonly conversationId: string;
  /** Of the answer. */
  readonly messageId: string;
}
