import type { Kysely } from 'kysely';
import { z } from 'zod';
import { AppError } from '../base/errors.ts';
import { truncateText } from '../base/text.ts';
import type { EarlierTurn } from '../contract/answer.ts';
import { handoverStatuses } from '../contract/conversation-values.ts';
import type { EarlierMessage } from '../contract/facets.ts';
import type { SkillCustomer, SkillState } from '../contract/skill.ts';
import { prepareStatement } from '../storage/prepared-statements.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { maxUnsummarisedMessages, messagesInMemory } from './summary-schedule.ts';

export interface ConversationRequest {
  readonly workspaceId: string;
  readonly conversationId: string;
  readonly sessionId: string | null;
  /** The integrator's id of the visitor, if it was verified. */
  readonly userId: string | null;
}

/** A skill's pending request to the visitor. */
export interface AwaitedReply {
  readonly skill: string;
  readonly state: SkillState;
  /** The number of the visitor's next messages that may contain the reply. */
  readonly messages: number;
}

/** The facts about the conversation so far that an answer may use. */
export interface ConversationMemory {
  /** The latest exchanges since the last resolution, oldest first. */
  readonly turns: readonly EarlierTurn[];
  /** A summary of the messages before `turns`, including those before a resolution; null if none has been written. */
  readonly summary: string | null;
  /**
   * The number of consecutive answers at the end of the conversation that were fallbacks, or unsure and the visitor did not
   * say that they helped.
   */
  readonly fallbacks: number;
  readonly customer: SkillCustomer;
  /** Whether an agent has the conversation or was requested. */
  readonly withPerson: boolean;
  readonly awaited: AwaitedReply | null;
}

/** Messages that wait for a summary stay in memory verbatim; this is the upper bound. */
export const maxMessages = messagesInMemory + maxUnsummarisedMessages;

/** Returns the memory of a new conversation. */
export function emptyMemory(turns: readonly EarlierTurn[] = []): ConversationMemory {
  return {
    turns,
    summary: null,
    fallbacks: 0,
    customer: { email: null, name: null, phone: null },
    withPerson: false,
    awaited: null,
  };
}

/**
 * Looks the conversation up by its primary key alone. With few rows, the planner would consider an index by workspace
 * equally good; `workspace_id || ''` excludes that index.
 */
const memorySql = prepareStatement<RememberedMessage>(`
  select conversation.session_id, conversation.customer_user_id, conversation.status, conversation.customer_email,
         conversation.customer_name, conversation.customer_phone, conversation.summary,
         case when conversation.status <> 'resolved' and conversation.memory_from < conversation.message_count
              then conversation.awaited end as awaited,
         latest.role, latest.content, latest.confidence, latest.ended, latest.tier, latest.feedback
  from conversation
  left join lateral (
    select role, content, confidence, ended, tier, feedback, position from message
    where message.conversation_id = conversation.id and message.workspace_id = conversation.workspace_id
      and conversation.status <> 'resolved' and message.position >= conversation.memory_from and message.purpose is null
      and message.position >= least(conversation.summary_until, conversation.message_count - ${messagesInMemory})
    order by position desc limit ${maxMessages}
  ) latest on true
  where conversation.id = $1 and conversation.workspace_id || '' = $2
  order by latest.position
`);

/**
 * Loads the memory of a conversation. Throws `conversation_not_found` if the conversation does not exist or belongs to a
 * different workspace, session or verified visitor.
 */
export async function loadConversationMemory(
  database: Kysely<Tables>,
  request: ConversationRequest,
): Promise<ConversationMemory> {
  const rows = await memorySql(database, [request.conversationId, request.workspaceId]);
  const [first] = rows;
  if (first === undefined || !isOpenTo(first, request)) throw new AppError('conversation_not_found');
  return {
    turns: toTurns(rows),
    summary: first.summary,
    fallbacks: countTrailingFallbacks(rows),
    customer: { email: first.customer_email, name: first.customer_name, phone: first.customer_phone },
    withPerson: handoverStatuses.some((status) => status === first.status),
    awaited: awaitedSchema.parse(first.awaited),
  };
}

const awaitedSchema = z
  .object({ skill: z.string(), state: z.record(z.string(), z.unknown()), messages: z.number() })
  .nullable();

/** The columns of the message are null if the conversation has no messages. */
interface RememberedMessage {
  readonly session_id: string | null;
  readonly customer_user_id: string | null;
  readonly status: string;
  readonly customer_email: string | null;
  readonly customer_name: string | null;
  readonly customer_phone: string | null;
  readonly summary: string | null;
  readonly awaited: unknown;
  readonly role: string | null;
  readonly content: string | null;
  readonly confidence: string | null;
  readonly ended: string | null;
  /** Null for messages that answer nothing, such as a question for a rating. */
  readonly tier: string | null;
  readonly feedback: string | null;
}

function isOpenTo(conversation: RememberedMessage, { sessionId, userId }: ConversationRequest): boolean {
  const owner = conversation.customer_user_id;
  return conversation.session_id === sessionId && (owner === null || owner === userId);
}

type ExchangedMessage = Pick<RememberedMessage, 'role' | 'content' | 'confidence' | 'ended' | 'tier'>;

/** Returns the exchanges of messages in their order. */
export function toTurns(messages: readonly ExchangedMessage[]): EarlierTurn[] {
  return messages.flatMap((message, index) => {
    if (message.role !== 'user' || message.content === null) return [];
    const reply = messages[index + 1];
    return [{ question: message.content, answer: isAnswer(reply) ? reply.content : null }];
  });
}

/** Excludes fallback answers and interrupted ones. */
function isAnswer(reply: ExchangedMessage | undefined): reply is ExchangedMessage {
  if (reply === undefined || reply.role === 'user' || reply.ended !== null) return false;
  return reply.confidence !== 'low' || reply.tier === 'maybe';
}

function countTrailingFallbacks(messages: readonly RememberedMessage[]): number {
  const replies = messages.filter(({ role }) => role !== null && role !== 'user').toReversed();
  const since = replies.findIndex(
    ({ confidence, ended, tier, feedback }) =>
      confidence !== 'low' || ended !== null || (tier === 'maybe' && feedback === 'up'),
  );
  return since === -1 ? replies.length : since;
}

/** The limit for each message, because every prompt contains all of them until they are summarised. */
const MAX_CHARS = 300;

/**
 * Formats messages of others in place of a summary. Prompts treat a summary as data: it is no source of an answer and
 * cannot trigger a skill. Returns null if there are no messages.
 */
export function overheardSummary(overheard: readonly EarlierMessage[]): string | null {
  if (overheard.length === 0) return null;
  return overheard.map(({ author, text }) => `${author}: ${truncateText(text, MAX_CHARS)}`).join('\n');
}
