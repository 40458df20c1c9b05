import type { Answer, EarlyEnd } from '../answering/answer.ts';
import type { EarlierMessage } from '../contract/facets.ts';
import type { SkillEffect } from '../contract/skill.ts';
import type { Reservation } from '../limits/quota.ts';
import { raisesError } from '../storage/sql-errors.ts';
import type { AwaitedReply } from './conversation-memory.ts';

/** Who the visitor is, as far as it is known. */
export interface Customer {
  readonly email: string | null;
  /**
   * Whether the address is the visitor's own: the integrator signed it, or the platform of the channel vouches for it. False
   * for one that was only told, and where there is none.
   */
  readonly emailVerified: boolean;
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
  /** The integrator's own name for the visitor, where it was proven: the conversation is his alone from then on. */
  readonly userId: string | null;
  readonly question: string;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly answer: Answer;
  readonly latencyMs: number;
  /** Why the answer is not whole; null where it is. */
  readonly ended: EarlyEnd | null;
  /** What skills changed of the conversation. */
  readonly effects: readonly SkillEffect[];
  /** What a skill asked the visitor for; null forgets what was asked for before, undefined where nothing was. */
  readonly awaited: AwaitedReply | null | undefined;
  /** Whose month it counts in, where it was not counted before it was answered. */
  readonly countedFor?: Reservation | undefined;
  /** What others said before a conversation that begins here. */
  readonly overheard?: readonly EarlierMessage[] | undefined;
}

export interface StoredTurn {
  readonly conversationId: string;
  /** Of the answer. */
  readonly messageId: string;
}

/** What may be stored with turns: one for each such place in the code, as each is a statement of its own. */
export interface CompanionKind {
  readonly name: string;
  /** Of its own, each with its type; none has the name of one of the turn's. */
  readonly columns: Readonly<Record<string, string>>;
  /** SQL for a value, of these and the turn's, such as `asked.answer_id`, and of `kept`, the turn's conversation. */
  readonly expression: string;
  /** So many are stored in one go; any number when absent. */
  readonly most?: number;
  /** What may be noted in the same statement, though it is of none of the turns; nothing when absent. */
  readonly rides?: {
    /** Beside the kind's own, each with its type. */
    readonly columns: Readonly<Record<string, string>>;
    /** SQL for a value, of these and the kind's own. */
    readonly expression: string;
  };
}

/** What has to be stored with a turn, or not at all: it is part of the statement that stores the turn. */
export interface Companion {
  /** What computing its expression raises undoes the turn as well. */
  readonly kind: CompanionKind;
  /** By its kind's columns. */
  readonly values: Readonly<Record<string, unknown>>;
  /** What an error of the statement means. */
  errorOf(error: unknown): unknown;
  /** Hears the value when both are stored. */
  stored?(value: unknown): void;
}

/** A person took the conversation over while its answer was made: that is not said any more. */
export class HumanTakeoverError extends Error {
  constructor() {
    super('a person took the conversation over');
    this.name = 'TakenOver';
  }
}

/** Raised by what is stored beside answers. */
const sqlState = 'PY002';

export function isHumanTakeoverError(error: unknown): boolean {
  return raisesError(error, sqlState);
}
