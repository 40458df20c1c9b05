import { type Kysely, sql, type Transaction } from 'kysely';
import { z } from 'zod';
import type { ConversationRef, Json } from '../contract/account.ts';
import type { Draft } from '../contract/facets.ts';
import type { OutboundPart, Reply } from '../contract/outbound.ts';
import { compareLanes, type LaneKey } from '../inbound/lane.ts';
import type { Database } from '../storage/database.ts';
import { batchParameters, batchRows, prepareStatement } from '../storage/prepared-statements.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { storedJson, stringifyStorable } from '../text.ts';
import type { ScheduleDeliveries } from '../webhooks/event-transaction.ts';
import { eventTransaction } from '../webhooks/event-transaction.ts';

interface StoredPart {
  readonly content: Json;
  readonly status: 'waiting' | 'held' | 'collectable';
  readonly key: string | null;
  readonly draft: Json;
}

/**
 * Parts as `queue_parts` takes them, the first in the place of what was shown of it before: one that waits is sent, one
 * that is held is kept until the visitor asks for it, and one that is collectable until a request of the platform comes.
 */
export function toStoredParts(parts: readonly OutboundPart[], draft: Json = null): readonly StoredPart[] {
  return parts.map((part, index) => ({
    content: part.content,
    status: statusOf(part),
    key: keyOf(part),
    draft: index === 0 ? draft : null,
  }));
}

/** Whether anything of them is sent without being asked for. */
export function hasPartsToSend(parts: readonly OutboundPart[]): boolean {
  return parts.some((part) => statusOf(part) === 'waiting');
}

function statusOf({ onRequest, collectedBy }: OutboundPart): StoredPart['status'] {
  if (onRequest !== undefined) return 'held';
  return collectedBy === undefined ? 'waiting' : 'collectable';
}

function keyOf({ onRequest, collectedBy }: OutboundPart): string | null {
  const key = collectedBy ?? onRequest;
  return typeof key === 'string' ? key : null;
}

/** A person's message that is to be sent, as the platform takes it. */
interface QueuedReply {
  readonly channelId: string;
  readonly workspaceId: string;
  readonly conversationId: string;
  readonly messageId: string;
  readonly to: ConversationRef;
  readonly parts: readonly OutboundPart[];
  readonly now: Date;
}

/** Writes down what is to be sent, in the transaction of the message that it is of. */
export async function queueParts(
  transaction: Transaction<Tables>,
  { channelId, workspaceId, conversationId, messageId, to, parts, now }: QueuedReply,
): Promise<void> {
  if (parts.length === 0) return;
  await sql`
    select queue_parts(${channelId}, ${workspaceId}, ${to.lane}, ${conversationId}, ${messageId}, 'agent',
                       ${stringifyStorable(toStoredParts(parts))}::jsonb, ${now})
  `.execute(transaction);
}

/** What is to be sent next in a lane. */
export interface WaitingPart {
  readonly number: string;
  readonly part: OutboundPart;
  readonly to: ConversationRef;
  /** What was shown of it while it was made: it takes the place of that; null where nothing was. */
  readonly draft: Draft | null;
  /** Tries so far. */
  readonly attempts: number;
  readonly dueAt: Date;
  /** Whether the platform may have taken it in an earlier try, which nobody heard the end of. */
  readonly isInDoubt: boolean;
  /** When it was written. */
  readonly since: Date;
  /** Whether it is ours, and a person has the conversation now. */
  readonly isOvertaken: boolean;
  /** Whether the visitor asked us not to write to him. */
  readonly isUnwanted: boolean;
  /** When he was last heard of. */
  readonly heardAt: Date | null;
  readonly messageId: string;
  readonly author: Reply['author'];
}

/** As `next_part` tells it. */
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
});

const nextPartSql = prepareStatement<{ next: unknown }>('select next_part($1, $2) as next');

/** The oldest of them, due or not: what comes after it waits for it. */
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
    isUnwanted: next.opted_out,
    heardAt: next.heard_at,
    messageId: next.message_id,
    author: next.author,
  };
}

/** Of a part that is found by its number: in the form of an index of all that wait, that index might be read to its end. */
const isWaiting = sql<boolean>`status || '' = 'waiting'`;

interface SettleDependencies {
  readonly database: Database;
  readonly wakeDeliveries: ScheduleDeliveries;
}

/** Stores why a part is not sent, after so many tries. Webhooks are told of a message that will not be sent. */
export async function settlePart(
  { database, wakeDeliveries }: SettleDependencies,
  { number, attempts }: WaitingPart,
  { status, failure }: { readonly status: 'failed' | 'dead' | 'withheld'; readonly failure: string },
): Promise<void> {
  await eventTransaction({ database: database.kysely, wakeDeliveries }, (transaction) =>
    transaction
      .updateTable('outbound_part')
      .set({ status, attempts, failure })
      .where('number', '=', number)
      .where(isWaiting)
      .execute(),
  );
}

/** A part that a platform took. */
export interface SentPart extends LaneKey, Pick<WaitingPart, 'number' | 'attempts'> {
  /** Of whoever sends in the lane. */
  readonly token: string;
  /** Of whoever answers in it meanwhile, where he sends as well. */
  readonly answering?: string | undefined;
  readonly platformMessageId: string;
  readonly sentAt: Date;
}

/** What is to be sent next; null where nothing is: then the lane is let go of. */
export interface SettleResult {
  readonly next: WaitingPart | null;
  /** Whether it was let go of by who answers in it as well, as nothing waits there. */
  readonly isAnswered: boolean;
}

const settled = z.object({ next: nextPartSchema.nullable(), let_go: z.boolean() });

/** Of `sentRow`, each with its type. */
export const sentColumns = {
  channel_id: 'text',
  lane: 'text',
  token: 'text',
  answering: 'text',
  number: 'bigint',
  attempts: 'integer',
  platform_message_id: 'text',
  sent_at: 'timestamptz',
} as const;

/** SQL for what `settledOf` reads, of these columns under the name `asked`. */
export const settleSql = `settle_sent_part(
  asked.channel_id, asked.lane, asked.token, asked.answering, asked.number, asked.attempts, asked.platform_message_id,
  asked.sent_at
)`;

const settlingAll = prepareStatement<{ number: string; done: unknown }>(`
  select number, ${settleSql} as done from ${batchRows(sentColumns)}
`);

/** Parts were sent: what comes after each of them. */
export async function settleSentParts(
  database: Kysely<Tables>,
  sent: readonly SentPart[],
): Promise<(one: SentPart) => SettleResult> {
  const told = await settlingAll(database, batchParameters(sent.toSorted(compareLanes).map(toSentRow)));
  const byNumber = new Map(told.map(({ number, done }) => [number, done]));
  return (one) => parseSettled(one, byNumber.get(one.number));
}

export function toSentRow(one: SentPart): Readonly<Record<keyof typeof sentColumns, unknown>> {
  return {
    channel_id: one.channelId,
    lane: one.lane,
    token: one.token,
    answering: one.answering,
    number: one.number,
    attempts: one.attempts,
    platform_message_id: one.platformMessageId,
    sent_at: one.sentAt.toISOString(),
  };
}

/** What comes after a part, from what `settling` came to. */
export function parseSettled(sent: SentPart, done: unknown): SettleResult {
  const { next, let_go: isAnswered } = settled.parse(done);
  return { next: next && parseWaitingPart(next, sent), isAnswered };
}

/** A part waits for another time. */
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
    /** Whether it may have been taken. */
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
