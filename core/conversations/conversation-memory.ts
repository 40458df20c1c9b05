import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { EarlierTurn } from '../answering/understanding/standalone-question.ts';
import type { SkillCustomer, SkillState } from '../contract/skill.ts';
import { AppError } from '../errors.ts';
import { prepareStatement } from '../storage/prepared-statements.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { handoverStatuses } from './conversation-values.ts';
import { maxUnsummarisedMessages, messagesInMemory } from './summary-schedule.ts';

export interface ConversationRequest {
  readonly workspaceId: string;
  readonly conversationId: string;
  readonly sessionId: string | null;
  /** Of a visitor whose identity was proven. */
  readonly userId: string | null;
}

/** What a skill asked the visitor for. */
export interface AwaitedReply {
  readonly skill: string;
  readonly state: SkillState;
  /** With how many of his next messages he may tell it. */
  readonly messages: number;
}

/** What an answer may know of the conversation so far. */
export interface ConversationMemory {
  /** The latest exchanges since the last resolution, oldest first. */
  readonly turns: readonly EarlierTurn[];
  /** What was said before those, and before a resolution; null where nobody has summed it up. */
  readonly summary: string | null;
  /** How many of the latest answers were fallbacks, one after the other. */
  readonly fallbacks: number;
  readonly customer: SkillCustomer;
  /** Whether a person was asked for, or has it already. */
  readonly withPerson: boolean;
  readonly awaited: AwaitedReply | null;
}

/** What waits to be summed up is remembered word for word until then, within reason. */
const maxMessages = messagesInMemory + maxUnsummarisedMessages;

/** Of a conversation that begins. */
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

/** A conversation is looked for by its key alone: planned while there are few, an index by workspace looks as good. */
const memorySql = prepareStatement<RememberedMessage>(`
  select conversation.session_id, conversation.customer_user_id, conversation.status, conversation.customer_email,
         conversation.customer_name, conversation.customer_phone, conversation.summary,
         case when conversation.status <> 'resolved' and conversation.memory_from < conversation.message_count
              then conversation.awaited end as awaited,
         latest.role, latest.content, latest.confidence, latest.ended
  from conversation
  left join lateral (
    select role, content, confidence, ended, position from message
    where message.conversation_id = conversation.id and message.workspace_id = conversation.workspace_id
      and conversation.status <> 'resolved' and message.position >= conversation.memory_from
      and message.position >= least(conversation.summary_until, conversation.message_count - ${messagesInMemory})
    order by position desc limit ${maxMessages}
  ) latest on true
  where conversation.id = $1 and conversation.workspace_id || '' = $2
  order by latest.position
`);

/**
 * Throws `conversation_not_found` for a conversation that is unknown, of another workspace, of another session, or of
 * a visitor who was proven to be another one.
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

/** The message's part is null in a conversation without messages. */
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
}

function isOpenTo(conversation: RememberedMessage, { sessionId, userId }: ConversationRequest): boolean {
  const owner = conversation.customer_user_id;
  return conversation.session_id === sessionId && (owner === null || owner === userId);
}

function toTurns(messages: readonly RememberedMessage[]): EarlierTurn[] {
  return messages.flatMap((message, index) => {
    if (message.role !== 'user' || message.content === null) return [];
    const reply = messages[index + 1];
    return [{ question: message.content, answer: isAnswer(reply) ? reply.content : null }];
  });
}

/** Not where it says that there is no answer, nor where it broke off. */
function isAnswer(reply: RememberedMessage | undefined): reply is RememberedMessage {
  return reply !== undefined && reply.role !== 'user' && reply.confidence !== 'low' && reply.ended === null;
}

function countTrailingFallbacks(messages: readonly RememberedMessage[]): number {
  const replies = messages.filter(({ role }) => role !== null && role !== 'user').toReversed();
  const since = replies.findIndex(({ confidence, ended }) => confidence !== 'low' || ended !== null);
  return since === -1 ? replies.length : since;
}
