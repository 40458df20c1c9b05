import { type Kysely, sql, type Transaction } from 'kysely';
import { storedJson } from '../../base/text.ts';
import type { InboundEvent } from '../../contract/inbound.ts';
import type { LiveAnswer } from '../../contract/listener.ts';
import type { OutboundPart } from '../../contract/outbound.ts';
import { humanSkill } from '../../contract/skill.ts';
import type { Tables } from '../../storage/tables/tables.ts';

interface HandledEvent {
  /** Null if the event got no answer and will get none. */
  readonly answer: LiveAnswer | null;
}

interface Row {
  readonly is_handled: boolean;
  readonly message_id: string | null;
  readonly content: string | null;
  readonly skills_fired: readonly string[] | null;
}

/**
 * Returns the answer to an event, or null while the event is unhandled. It marks the collectable parts as sent, so
 * that only this caller receives them.
 */
export async function findAnsweredEvent(
  database: Kysely<Tables>,
  { channelId, number, now }: { readonly channelId: string; readonly number: string; readonly now: Date },
): Promise<HandledEvent | null> {
  const { rows } = await sql<Row>`
    select handled_at is not null or failure is not null as is_handled, message.id as message_id,
           message.content, message.skills_fired
    from inbound_event left join message on message.id = answer_id
    where channel_id = ${channelId} and number = ${number}
  `.execute(database);
  const [row] = rows;
  if (row !== undefined && !row.is_handled) return null;
  if (row?.message_id == null) return { answer: null };
  return {
    answer: {
      messageId: row.message_id,
      text: row.content ?? '',
      handover: row.skills_fired?.includes(humanSkill) ?? false,
      parts: await collectParts(database, row.message_id, now),
    },
  };
}

async function collectParts(
  database: Kysely<Tables>,
  messageId: string,
  now: Date,
): Promise<readonly OutboundPart[]> {
  await database
    .updateTable('outbound_part')
    .set({ status: 'sent', sent_at: now })
    .where('message_id', '=', messageId)
    .where('status', '=', 'collectable')
    .execute();
  const parts = await database
    .selectFrom('outbound_part')
    .select(['content', 'status'])
    .where('message_id', '=', messageId)
    .orderBy('part')
    .execute();
  return parts.map(({ content, status }) => ({
    content: storedJson.parse(content),
    ...(status === 'held' && { onRequest: true }),
  }));
}

interface CollectionOverContext {
  readonly channelId: string;
  readonly event: Extract<InboundEvent, { type: 'collection-over' }>;
}

/**
 * Fails the parts that the visitor did not collect. The lane becomes unreachable unless its address has changed
 * since.
 */
export async function onCollectionOver(
  transaction: Transaction<Tables>,
  { channelId, event: { conversation, key, because } }: CollectionOverContext,
): Promise<void> {
  await transaction
    .updateTable('outbound_part')
    .set({ status: 'failed', failure: because })
    .where('channel_id', '=', channelId)
    .where('lane', '=', conversation.lane)
    .where('collect_key', '=', key)
    .where('status', 'in', ['collectable', 'held'])
    .execute();
  await sql`
    update lane set reachable = false
    where channel_id = ${channelId} and lane = ${conversation.lane}
      and coalesce(address = ${JSON.stringify(conversation.address)}::jsonb, true)
  `.execute(transaction);
}

interface MoreRequestedContext {
  readonly channelId: string;
  readonly event: Extract<InboundEvent, { type: 'asked-for' }>;
  readonly now: Date;
}

/** Queues held parts because the visitor requested them. */
export async function onMoreRequested(
  transaction: Transaction<Tables>,
  { channelId, event: { conversation, what }, now }: MoreRequestedContext,
): Promise<void> {
  await transaction
    .updateTable('outbound_part')
    .set({ status: 'waiting', next_attempt_at: now })
    .where('channel_id', '=', channelId)
    .where('lane', '=', conversation.lane)
    .where('collect_key', '=', what)
    .where('status', '=', 'held')
    .execute();
}
