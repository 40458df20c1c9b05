import { type Kysely, sql, type Transaction } from 'kysely';
import type { OutboundPart, Reply } from '../../contract/outbound.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import type { LaneKey } from '../inbound/lane.ts';
import type { WaitingPart } from './outbox.ts';

interface RatedAnswer extends LaneKey {
  /** The platform's id. Null for the last answer in the lane. */
  readonly messageId: string | null;
}

/** Returns the part that a visitor rated. */
export function findRatedPart(transaction: Transaction<Tables>, { channelId, lane, messageId }: RatedAnswer) {
  const parts = transaction
    .selectFrom('outbound_part')
    .select(['outbound_part.workspace_id', 'outbound_part.conversation_id', 'message_id'])
    .where('channel_id', '=', channelId)
    .orderBy('outbound_part.number', 'desc')
    .limit(1);
  const query =
    messageId === null
      ? parts
          .innerJoin('message', 'message.id', 'outbound_part.message_id')
          .where('message.role', '=', 'assistant')
          .where('message.purpose', 'is', null)
          .where('outbound_part.lane', '=', lane)
          .where('outbound_part.platform_message_id', 'is not', null)
      : parts.where('platform_message_id', '=', messageId);
  return query.executeTakeFirst();
}

/** Queues the next held part of the lane's newest message. Returns false if none is held. */
export async function releaseHeldPart(
  database: Kysely<Tables>,
  { channelId, lane }: LaneKey,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    update outbound_part set status = 'waiting', next_attempt_at = ${now}
    where number = (
      select min(number) from outbound_part
      where channel_id = ${channelId} and lane = ${lane} and status = 'held' and collect_key is null and message_id = (
        select message_id from outbound_part
        where channel_id = ${channelId} and lane = ${lane} order by number desc limit 1
      )
    )
    returning 1
  `.execute(database);
  return rows.length > 0;
}

/** Returns the whole message that a part belongs to, to be rendered anew. */
export async function loadReply(
  database: Kysely<Tables>,
  { messageId, author }: WaitingPart,
): Promise<Reply> {
  const { content } = await database
    .selectFrom('message')
    .select('content')
    .where('id', '=', messageId)
    .executeTakeFirstOrThrow();
  return { author, text: content, sources: [], replyTo: null, offers: [], handover: false };
}

/** The template replaces the whole message, so the other waiting parts are withheld. */
export async function replaceWithTemplate(
  database: Kysely<Tables>,
  { number, messageId }: WaitingPart,
  { content }: OutboundPart,
): Promise<void> {
  const failure = 'Replaced by a template message.';
  await sql`
    update outbound_part
    set content = case when number = ${number} then ${JSON.stringify(content)}::jsonb else content end,
        status = case when number = ${number} then status else 'withheld' end,
        failure = case when number = ${number} then failure else ${failure} end
    where message_id = ${messageId} and status in ('waiting', 'held')
  `.execute(database);
}

/** Returns the ids that are already recorded for other parts. */
export async function findKnownMessageIds(
  database: Kysely<Tables>,
  { channelId, ids }: { readonly channelId: string; readonly ids: readonly string[] },
): Promise<ReadonlySet<string | null>> {
  if (ids.length === 0) return new Set();
  const rows = await database
    .selectFrom('outbound_part')
    .select('platform_message_id')
    .where('channel_id', '=', channelId)
    .where('platform_message_id', 'in', ids)
    .execute();
  return new Set(rows.map(({ platform_message_id: id }) => id));
}

interface EndedPauses {
  readonly channelId: string;
  readonly now: Date;
  readonly most: number;
}

/** Makes all parts of a channel due that wait after a failed attempt. Returns the first ones. */
export async function endPauses(
  database: Kysely<Tables>,
  { channelId, now, most }: EndedPauses,
): Promise<readonly { readonly number: string; readonly lane: string }[]> {
  const { rows } = await sql<{ number: string; lane: string }>`
    with due as (
      update outbound_part set next_attempt_at = ${now}
      where number in (
        select number from outbound_part
        where channel_id = ${channelId} and status = 'waiting' and failure is not null and next_attempt_at > ${now}
        for update skip locked
      )
      returning number, lane
    )
    select number, lane from due order by number limit ${most}
  `.execute(database);
  return rows;
}
