import type { Kysely, Transaction } from 'kysely';
import type { EarlierTurn } from '../answering/standalone-question.ts';
import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Tables } from '../storage/tables.ts';
import type { Customer, StoredTurn, Turn } from './turn.ts';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
}

/** How many earlier exchanges a follow-up question may lean on. */
const rememberedTurns = 4;

export interface ConversationRequest {
  readonly workspaceId: string;
  readonly conversationId: string;
  readonly sessionId: string | null;
}

/** Conversations and their messages. */
export class Conversations {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * The latest exchanges, oldest first. Throws `conversation_not_found` for one that is unknown, of another
   * workspace, or of another session.
   */
  async earlierTurns(request: ConversationRequest): Promise<readonly EarlierTurn[]> {
    const conversation = await this.#dependencies.database
      .selectFrom('conversation')
      .select('session_id')
      .where('id', '=', request.conversationId)
      .where('workspace_id', '=', request.workspaceId)
      .executeTakeFirst();
    if (conversation === undefined || conversation.session_id !== request.sessionId) {
      throw new AppError('conversation_not_found');
    }
    const messages = await this.#dependencies.database
      .selectFrom('message')
      .select(['role', 'content', 'confidence'])
      .where('conversation_id', '=', request.conversationId)
      .where('workspace_id', '=', request.workspaceId)
      .orderBy('position', 'desc')
      .limit(rememberedTurns * 2)
      .execute();
    return turnsOf(messages.reverse());
  }

  /** Stores a question with its answer, both or neither; makes the conversation when there is none yet. */
  async storeTurn(turn: Turn): Promise<StoredTurn> {
    return this.#dependencies.database.transaction().execute(async (transaction) => {
      const now = this.#dependencies.clock.now();
      const { id, position } = await claimConversation(transaction, turn, now);
      const messageId = newId('msg');
      const common = { conversation_id: id, workspace_id: turn.workspaceId, created_at: now };
      await transaction
        .insertInto('message')
        .values([
          {
            ...common,
            ...noAnswer,
            id: newId('msg'),
            position,
            role: 'user',
            content: turn.question,
            metadata: turn.metadata === null ? null : JSON.stringify(turn.metadata),
          },
          {
            ...common,
            id: messageId,
            position: position + 1,
            role: 'assistant',
            content: turn.answer.text,
            sources: JSON.stringify(turn.answer.sources),
            tokens_used: turn.answer.tokensUsed,
            confidence: turn.answer.confidence,
            score: turn.answer.score,
            skills_fired: [...turn.answer.skillsFired],
            latency_ms: turn.latencyMs,
            metadata: null,
          },
        ])
        .execute();
      return { conversationId: id, messageId };
    });
  }
}

const noAnswer = {
  sources: null,
  tokens_used: null,
  confidence: null,
  score: null,
  skills_fired: null,
  latency_ms: null,
};

/** Two turns of one conversation at once take turns here: the row is locked until the transaction ends. */
async function claimConversation(
  transaction: Transaction<Tables>,
  turn: Turn,
  now: Date,
): Promise<{ id: string; position: number }> {
  if (turn.conversationId === null) {
    const id = newId('conv');
    await transaction
      .insertInto('conversation')
      .values({
        id,
        workspace_id: turn.workspaceId,
        channel: turn.channel,
        session_id: turn.sessionId,
        started_at: now,
        last_message_at: now,
        resolved_at: null,
        message_count: 2,
        ...customerColumns(turn.customer),
      })
      .execute();
    return { id, position: 0 };
  }
  const row = await transaction
    .updateTable('conversation')
    .set((is) => ({
      last_message_at: now,
      message_count: is('message_count', '+', 2),
      status: is
        .case()
        .when('status', 'in', ['resolved', 'snoozed', 'archived'])
        .then('open')
        .else(is.ref('status'))
        .end(),
      resolved_at: null,
      ...knownCustomerColumns(turn.customer),
    }))
    .where('id', '=', turn.conversationId)
    .where('workspace_id', '=', turn.workspaceId)
    .returning(['id', 'message_count'])
    .executeTakeFirst();
  if (row === undefined) throw new AppError('conversation_not_found');
  return { id: row.id, position: row.message_count - 2 };
}

function customerColumns(customer: Customer | null) {
  return {
    customer_email: customer?.email ?? null,
    customer_name: customer?.name ?? null,
    customer_phone: customer?.phone ?? null,
  };
}

/** What is not known of the customer this time does not erase what was known before. */
function knownCustomerColumns(customer: Customer | null) {
  const known = Object.entries(customerColumns(customer)).filter(([, value]) => value !== null);
  return Object.fromEntries(known);
}

interface StoredMessage {
  readonly role: string;
  readonly content: string;
  readonly confidence: string | null;
}

function turnsOf(messages: readonly StoredMessage[]): EarlierTurn[] {
  return messages.flatMap((message, index) => {
    if (message.role !== 'user') return [];
    const reply = messages[index + 1];
    const answered = reply !== undefined && reply.role !== 'user' && reply.confidence !== 'low';
    return [{ question: message.content, answer: answered ? reply.content : null }];
  });
}
