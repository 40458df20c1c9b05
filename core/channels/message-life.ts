import { type Kysely, sql } from 'kysely';
import { humanSkill } from '../contract/skill.ts';
import type { Tables } from '../storage/tables/tables.ts';

/** An event of the platform, and its handling. */
interface LifeEvent {
  readonly eventId: string;
  readonly receivedAt: Date;
  /** When it became due: later than its arrival if it waited for others of the same turn, or after a failed attempt. */
  readonly dueAt: Date;
  readonly handledAt: Date | null;
  readonly attempts: number;
  readonly failure: string | null;
}

interface LifePart {
  readonly part: number;
  readonly status: string;
  readonly queuedAt: Date;
  readonly nextAttemptAt: Date;
  readonly sentAt: Date | null;
  /** When the platform reported its status, or a person changed it. */
  readonly statusAt: Date | null;
  readonly attempts: number;
  readonly platformMessageId: string | null;
  readonly failure: string | null;
}

/** The way of one message through the installation, without its contents. Parts that are deleted by now are absent. */
export interface MessageLife {
  readonly workspaceId: string;
  readonly channelId: string | null;
  readonly channel: string | null;
  readonly conversationId: string | null;
  readonly events: readonly LifeEvent[];
  readonly message: {
    readonly id: string;
    readonly role: string;
    readonly createdAt: Date;
    readonly latencyMs: number | null;
    readonly confidence: string | null;
  } | null;
  readonly parts: readonly LifePart[];
}

/**
 * Finds a message by its own id, by the id of the platform's event that it answers, or by the platform's id of a part of it.
 * The message of a visitor leads to the answer that follows it. Null if no row has the id.
 */
export async function findMessageLife(database: Kysely<Tables>, id: string): Promise<MessageLife | null> {
  const found = (await findEvent(database, id)) ??
    (await findPart(database, id)) ?? { messageId: id, event: null };
  const message = found.messageId === null ? null : await findAnswer(database, found.messageId);
  if (message === null) return found.event === null ? null : describeEvent(database, found.event);
  const [events, parts] = await Promise.all([
    findEventsOf(database, message),
    listParts(database, message.id),
  ]);
  const channel = await findChannel(database, message.conversationId);
  return {
    workspaceId: message.workspaceId,
    channelId: channel?.id ?? null,
    channel: channel?.channel ?? null,
    conversationId: message.conversationId,
    events,
    message,
    parts,
  };
}

interface FoundEvent extends LifeEvent {
  readonly workspaceId: string;
  readonly channelId: string;
  readonly answerId: string | null;
}

interface Found {
  readonly messageId: string | null;
  readonly event: FoundEvent | null;
}

const eventColumns = sql`
  inbound_event.event_id as "eventId", inbound_event.received_at as "receivedAt", inbound_event.settled_at as "dueAt",
  inbound_event.handled_at as "handledAt", inbound_event.attempts, inbound_event.failure,
  inbound_event.workspace_id as "workspaceId", inbound_event.channel_id as "channelId",
  inbound_event.answer_id as "answerId"`;

/** Asks channel by channel: the id is unique within one, and so is the index. */
async function findEvent(database: Kysely<Tables>, id: string): Promise<Found | null> {
  const { rows } = await sql<FoundEvent>`
    select ${eventColumns} from channel
    join inbound_event on inbound_event.channel_id = channel.id and inbound_event.event_id = ${id}
    order by received_at desc limit 1`.execute(database);
  const [event] = rows;
  return event === undefined ? null : { messageId: event.answerId, event };
}

async function findPart(database: Kysely<Tables>, id: string): Promise<Found | null> {
  const { rows } = await sql<{ messageId: string }>`
    select message_id as "messageId" from channel
    join outbound_part on outbound_part.channel_id = channel.id and outbound_part.platform_message_id = ${id}
    order by number desc limit 1`.execute(database);
  const [part] = rows;
  return part === undefined ? null : { messageId: part.messageId, event: null };
}

/** The stored facts of a message that another process answered, or that a person wrote. */
export interface SentMessage {
  /** When its first event arrived; null if it answers none, or the event was deleted. */
  readonly receivedAt: Date | null;
  readonly storedAt: Date;
  readonly conversationId: string;
  readonly isHandover: boolean;
  readonly answerMs: number | null;
  /** How often an answer was begun. */
  readonly attempts: number | null;
  readonly parts: number;
  readonly partAttempts: number;
  readonly isUndelivered: boolean;
  readonly isWithheld: boolean;
}

interface SentPlace {
  readonly workspaceId: string;
  readonly channelId: string;
  readonly messageId: string;
  /** The platform's id of the first event that it answers; null if it answers none. */
  readonly eventId: string | null;
}

/** Null if the message was deleted. */
export async function findSentMessage(
  database: Kysely<Tables>,
  { workspaceId, channelId, messageId, eventId }: SentPlace,
): Promise<SentMessage | null> {
  const { rows } = await sql<SentMessage>`
    select event.received_at as "receivedAt", message.created_at as "storedAt", event.attempts + 1 as attempts,
           message.conversation_id as "conversationId", message.latency_ms as "answerMs",
           coalesce(${humanSkill} = any(message.skills_fired), false) as "isHandover",
           parts.*
    from message
    cross join lateral (
      select count(*)::int as parts, coalesce(sum(attempts), 0)::int as "partAttempts",
             coalesce(bool_or(status in ('failed', 'dead')), false) as "isUndelivered",
             coalesce(bool_or(status = 'withheld'), false) as "isWithheld"
      from outbound_part where message_id = message.id and status not in ('held', 'collectable')
    ) as parts
    left join inbound_event as event on event.channel_id = ${channelId} and event.event_id = ${eventId}
    where message.id = ${messageId} and message.workspace_id = ${workspaceId}`.execute(database);
  return rows[0] ?? null;
}

interface Answer {
  readonly id: string;
  readonly workspaceId: string;
  readonly conversationId: string;
  readonly role: string;
  readonly createdAt: Date;
  readonly latencyMs: number | null;
  readonly confidence: string | null;
}

/** The message itself; for a visitor's, the next one that is none. */
async function findAnswer(database: Kysely<Tables>, id: string): Promise<Answer | null> {
  const { rows } = await sql<Answer>`
    select answer.id, answer.workspace_id as "workspaceId", answer.conversation_id as "conversationId", answer.role,
           answer.created_at as "createdAt", answer.latency_ms as "latencyMs", answer.confidence
    from message asked
    join message answer on answer.conversation_id = asked.conversation_id and (
      answer.id = asked.id or (asked.role = 'user' and answer.role <> 'user' and answer.position > asked.position)
    )
    where asked.id = ${id}
    order by (answer.id <> asked.id) desc, answer.position limit 1`.execute(database);
  return rows[0] ?? null;
}

/** Events stay for two days after they were handled. */
async function findEventsOf(
  database: Kysely<Tables>,
  { id, conversationId }: Answer,
): Promise<readonly LifeEvent[]> {
  const { rows } = await sql<LifeEvent>`
    select ${eventColumns} from lane
    join inbound_event on inbound_event.channel_id = lane.channel_id and inbound_event.lane = lane.lane
    where lane.conversation_id = ${conversationId} and inbound_event.answer_id = ${id}
    order by received_at`.execute(database);
  return rows;
}

async function listParts(database: Kysely<Tables>, messageId: string): Promise<readonly LifePart[]> {
  const { rows } = await sql<LifePart>`
    select part, status, created_at as "queuedAt", next_attempt_at as "nextAttemptAt", sent_at as "sentAt",
           status_at as "statusAt", attempts, platform_message_id as "platformMessageId", failure
    from outbound_part where message_id = ${messageId} order by part`.execute(database);
  return rows;
}

async function findChannel(database: Kysely<Tables>, conversationId: string) {
  return database
    .selectFrom('conversation')
    .leftJoin('channel', 'channel.id', 'conversation.channel_id')
    .select(['conversation.channel_id as id', 'conversation.channel as channel'])
    .where('conversation.id', '=', conversationId)
    .executeTakeFirst();
}

/** An event without an answer: it waits, it failed, or it needed none. */
async function describeEvent(database: Kysely<Tables>, event: FoundEvent): Promise<MessageLife> {
  const channel = await database
    .selectFrom('channel')
    .select('channel')
    .where('id', '=', event.channelId)
    .executeTakeFirst();
  return {
    workspaceId: event.workspaceId,
    channelId: event.channelId,
    channel: channel?.channel ?? null,
    conversationId: null,
    events: [event],
    message: null,
    parts: [],
  };
}
