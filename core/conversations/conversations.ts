import { type Kysely, sql } from 'kysely';
import type { EarlierTurn } from '../answering/standalone-question.ts';
import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { Tables } from '../storage/tables.ts';
import type { WakeDeliveries } from '../webhooks/delivery-waker.ts';
import { storeTurn, type TurnInStore } from './store-turn.ts';
import type { StoredTurn, StoredTurnHook, Turn } from './turn.ts';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly wakeDeliveries?: WakeDeliveries;
}

/** How many earlier exchanges a follow-up question may lean on. */
const rememberedTurns = 4;

export interface ConversationRequest {
  readonly workspaceId: string;
  readonly conversationId: string;
  readonly sessionId: string | null;
  /** Of a visitor whose identity was proven. */
  readonly userId: string | null;
}

/** Conversations and their messages. */
export class Conversations {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * The latest exchanges, oldest first. Throws `conversation_not_found` for one that is unknown, of another
   * workspace, of another session, or of a visitor who was proven to be another one.
   */
  async earlierTurns(request: ConversationRequest): Promise<readonly EarlierTurn[]> {
    const { rows } = await sql<RememberedMessage>`
      select conversation.session_id, conversation.customer_user_id, latest.role, latest.content, latest.confidence,
             latest.ended
      from conversation
      left join lateral (
        select role, content, confidence, ended, position from message
        where message.conversation_id = conversation.id and message.workspace_id = conversation.workspace_id
        order by position desc limit ${rememberedTurns * 2}
      ) latest on true
      where conversation.id = ${request.conversationId} and conversation.workspace_id = ${request.workspaceId}
      order by latest.position
    `.execute(this.#dependencies.database);
    if (rows[0] === undefined || !isOpenTo(rows[0], request)) throw new AppError('conversation_not_found');
    return turnsOf(rows);
  }

  /**
   * Stores a question with its answer, both or neither; makes the conversation when there is none yet. `within` runs in
   * the same transaction: when it fails, nothing is stored. Throws `conversation_not_found`.
   */
  async storeTurn(turn: Turn, within?: StoredTurnHook): Promise<StoredTurn> {
    const { wakeDeliveries } = this.#dependencies;
    const { stored, told } = await this.#store(turn, within);
    wakeDeliveries?.(told);
    return stored;
  }

  async #store(turn: Turn, within: StoredTurnHook | undefined): Promise<TurnInStore> {
    const { database, clock } = this.#dependencies;
    const now = clock.now();
    if (within === undefined) return storeTurn(database, turn, now);
    return database.transaction().execute(async (transaction) => {
      const kept = await storeTurn(transaction, turn, now);
      await within(transaction, kept.stored);
      return kept;
    });
  }
}

/** The rest is null in a conversation without messages. */
interface RememberedMessage {
  readonly session_id: string | null;
  readonly customer_user_id: string | null;
  readonly role: string | null;
  readonly content: string | null;
  readonly confidence: string | null;
  readonly ended: string | null;
}

function isOpenTo(conversation: RememberedMessage, { sessionId, userId }: ConversationRequest): boolean {
  const owner = conversation.customer_user_id;
  return conversation.session_id === sessionId && (owner === null || owner === userId);
}

function turnsOf(messages: readonly RememberedMessage[]): EarlierTurn[] {
  return messages.flatMap((message, index) => {
    if (message.role !== 'user' || message.content === null) return [];
    const reply = messages[index + 1];
    return [{ question: message.content, answer: answers(reply) ? reply.content : null }];
  });
}

/** Not where it says that there is no answer, nor where it broke off. */
function answers(reply: RememberedMessage | undefined): reply is RememberedMessage {
  return reply !== undefined && reply.role !== 'user' && reply.confidence !== 'low' && reply.ended === null;
}
