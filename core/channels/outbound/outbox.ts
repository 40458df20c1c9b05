import { type Kysely, sql, type Transaction } from 'kysely';
import { z } from 'zod';
import { storedJson, stringifyStorable } from '../../base/text.ts';
import type { ConversationRef, Json } from '../../contract/account.ts';
import type { Draft } from '../../contract/facets.ts';
import type { OutboundPart, Reply } from '../../contract/outbound.ts';
import type { Database } from '../../storage/database.ts';
import { batchParameters, batchRows, prepareStatement } from '../../storage/prepared-statements.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import type { ScheduleDeliveries } from '../../webhooks/event-transaction.ts';
import { eventTransaction } from '../../webhooks/event-transaction.ts';
import { compareLanes, type LaneKey } from '../inbound/lane.ts';

interface StoredPart {
  readonly content: Json;
  readonly status: 'waiting' | 'held' | 'collectable';
  readonly key: string | null;
  readonly draft: Json;
  readonly event: string | null;
}

/**
 * Converts parts for the SQL function `queue_parts`. The first part replaces the draft, if any. A `waiting`
 * part is sent, a `held` part waits until the visitor asks for it, and a `collectable` part waits for a request
 * of the platform. `event` is the platform's id of the first event that the parts answer.
 */
export function toStoredParts(
  parts: readonly OutboundPart[],
  { draft = null, event = null }: { readonly draft?: Json; readonly event?: string | null } = {},
): readonly StoredPart[] {
  return parts.map((part, index) => ({
    content: part.content,
    status: statusOf(part),
    key: keyOf(part),
    draft: index === 0 ? draft : null,
    event,
  }));
}

function statusOf({ onRequest, collectedBy }: OutboundPart): StoredPart['status'] {
  if (onRequest !== undefined) return 'held';
  return collectedBy === undefined ? 'waiting' : 'collectable';
}

function keyOf({ onRequest, collectedBy }: OutboundPart): string | null {
  const key = collectedBy ?? onRequest;
  return typeof key === 'string' ? key : null;
}

/** A message of an agent or, apart from answers, of the bot, rendered for the platform. */
interface QueuedReply {
  readonly channelId: string;
  readonly workspaceId: string;
  readonly conversationId: string;
  readonly messageId: string;
  readonly to: ConversationRef;
  readonly parts: readonly OutboundPart[];
  readonly now: Date;
  /** An agent if absent. */
  readonly author?: Reply['author'];
}

/** Queues the parts of a message, in the transaction that stores the message. */
export async function queueParts(
  transaction: Transaction<Tables>,
  { channelId, workspaceId, conversationId, messageId, to, parts, now, author = 'agent' }: QueuedReply,
): Promise<void> {
  if (parts.length === 0) return;
  await sql`
    select queue_parts(${channelId}, ${workspaceId}, ${to.lane}, ${conversationId}, ${messageId}, ${author},
                       ${stringifyStorable(toStoredParts(parts))}::jsonb, ${now})
  `.execute(transaction);
}

/** The next part to send in a lane. */
export interface WaitingPart {
  readonly number: string;
  readonly part: OutboundPart;
  readonly to: ConversationRef;
  /** The draft that this part replaces. Null if no draft was shown. */
  readonly draft: Draft | null;
  /** Number of attempts so far. */
  readonly attempts: number;
  readonly dueAt: Date;
  /** True if an earlier attempt ended without a response, so the platform may have accepted the part. */
  readonly isInDoubt: boolean;
  /** Time at which the part was queued. */
  readonly since: Date;
  /** True for a part of the bot while an agent has the conversation. */
  readonly isOvertaken: boolean;
  /** True for a part that asks for a rating. */
  readonly asksForRating: boolean;
  /** True if the conversation is no longer resolved, so that a rating need not be asked for. */
  readonly isReopened: boolean;
  /** True if the visitor opted out of messages. */
  readonly isUnwanted: boolean;
  /** Time of the visitor's last message. */
  readonly heardAt: Date | null;
  readonly messageId: string;
  readonly author: Reply['author'];
  /** The platform's id of the first event that the message answers. Null if it answers none. */
  readonly eventId: string | null;
}

/** The result of the SQL function `next_part`. */
export const nextPartSchema = z.object({
  number: z.string(),
  content: storedJson,
  attempts: z.number(),
  due_at: z.coerce.date(),
  in_doubt: z.boolean(),
  since: z.coerce.date(),
  author: z.enum(['bot', 'agent']),
  draft: storedJson,
  message_id: z.string(),
  address: storedJson,
  heard_at: z.coerce.date().nullable(),
  opted_out: z.boolean(),
  status: z.string(),
  purpose: z.string().nullish(),
  event: z.string().nullish(),
});

const nextPartSql = prepareStatement<{ next: unknown }>('select next_part($1, $2) as next');

/** Returns the oldest waiting part, due or not, because later parts wait for it. */
export async function findNextPart(database: Kysely<Tables>, key: LaneKey): Promise<WaitingPart | null> {
  const [row] = await nextPartSql(database, [key.channelId, key.lane]);
  const next = nextPartSchema.nullable().parse(row?.next ?? null);
  return next && parseWaitingPart(next, key);
}

export function parseWaitingPart(
  next: z.output<typeof nextPartSchema>,
  { lane }: Pick<LaneKey, 'lane'>,
): WaitingPart {
  return {
    number: next.number,
    part: { content: next.content, key: next.number },
    draft: next.draft === null ? null : { state: next.draft },
    to: { lane, address: next.address },
    attempts: next.attempts,
    dueAt: next.due_at,
    isInDoubt: next.in_doubt,
    since: next.since,
    isOvertaken: next.author === 'bot' && next.status === 'claimed',
    asksForRating: next.purpose === 'rating_question',
    isReopened: next.status !== 'resolved',
    isUnwanted: next.opted_out,
    heardAt: next.heard_at,
    messageId: next.message_id,
    author: next.author,
    eventId: next.event ?? null,
  };
}

/**
 * For queries by number: this form keeps the planner from using the index of all waiting parts, which it might
 * scan completely.
 */
const isWaiting = sql<boolean>`status || '' = 'waiting'`;

interface SettleDependencies {
  readonly database: Database;
  readonly scheduleDeliveries: ScheduleDeliveries;
}

/** Stores the final failure of a part. It queues a webhook event for a message that will not be sent. */
export async function settlePart(
  { database, scheduleDeliveries }: SettleDependencies,
  { number, attempts }: WaitingPart,
  { status, failure }: { readonly status: 'failed' | 'dead' | 'withheld'; readonly failure: string },
): Promise<void> {
  await eventTransaction({ database: database.kysely, scheduleDeliveries }, (transaction) =>
    transaction
      .updateTable('outbound_part')
      .set({ status, attempts, failure })
      .where('number', '=', number)
      .where(isWaiting)
      .execute(),
  );
}

/** A part that a platform has accepted. */
export interface SentPart extends LaneKey, Pick<WaitingPart, 'number' | 'attempts'> {
  /** Token of the lease. */
  readonly token: string;
  readonly platformMessageId: string;
  readonly sentAt: Date;
}

/** State of a lane after a part was sent. */
export interface SettleResult {
  /** The next part to send, due or not. */
  readonly next: WaitingPart | null;
  /** True if the lane was released, because nothing is left to do, or if another worker holds it. */
  readonly isReleased: boolean;
}

const settledSchema = z.object({ next: nextPartSchema.nullable(), released: z.boolean() });

/** Columns of `toSentRow` with their types. */
const sentColumns = {
  channel_id: 'text',
  lane: 'text',
  token: 'text',
  number: 'bigint',
  attempts: 'integer',
  platform_message_id: 'text',
  sent_at: 'timestamptz',
} as const;

/**
 * SQL expression that settles a sent part. It reads `sentColumns` under the name `asked`; `parseSettled` parses the
 * result.
 */
const settleSql = `settle_part(
  asked.channel_id, asked.lane, asked.token, asked.number, asked.attempts, asked.platform_message_id, asked.sent_at
)`;

const settleAllSql = prepareStatement<{ number: string; done: unknown }>(`
  select number, ${settleSql} as done from ${batchRows(sentColumns)}
`);

/** Settles sent parts. The returned function gives the next part of each lane. */
export async function settleSentParts(
  database: Kysely<Tables>,
  sent: readonly SentPart[],
): Promise<(one: SentPart) => SettleResult> {
  const rows = await settleAllSql(database, batchParameters(sent.toSorted(compareLanes).map(toSentRow)));
  const byNumber = new Map(rows.map(({ number, done }) => [number, done]));
  return (one) => parseSettled(one, byNumber.get(one.number));
}

function toSentRow(one: SentPart): Readonly<Record<keyof typeof sentColumns, unknown>> {
  return {
    channel_id: one.channelId,
    lane: one.lane,
    token: one.token,
    number: one.number,
    attempts: one.attempts,
    platform_message_id: one.platformMessageId,
    sent_at: one.sentAt.toISOString(),
  };
}

/** Parses the result of `settleSql`. */
function parseSettled(sent: SentPart, done: unknown): SettleResult {
  const { next, released: isReleased } = settledSchema.parse(done);
  return { next: next && parseWaitingPart(next, sent), isReleased };
}

/** Postpones a part. */
export async function postponePart(
  database: Kysely<Tables>,
  { number }: WaitingPart,
  {
    at,
    attempts,
    failure,
    isInDoubt = false,
  }: {
    readonly at: Date;
    readonly attempts: number;
    readonly failure: string | null;
    /** True if the platform may have accepted the part. */
    readonly isInDoubt?: boolean;
  },
): Promise<void> {
  await database
    .updateTable('outbound_part')
    .set({
      next_attempt_at: at,
      attempts,
      ...(failure !== null && { failure }),
      ...(isInDoubt && { in_doubt: true }),
    })
    .where('number', '=', number)
    .where(isWaiting)
    .execute();
}
