import { type Kysely, sql } from 'kysely';
import type { ReplyLimit, ReplyLimits } from '../../contract/outbound.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import type { LaneKey } from '../inbound/lane.ts';

const HOUR_MS = 3_600_000;

interface Asked {
  readonly key: LaneKey;
  readonly limits: ReplyLimits;
  /** The platform's id of the sender. */
  readonly sender: string;
  readonly now: Date;
}

/**
 * Returns the exceeded limit as a reason for operators, or null if an answer is within the limits. It counts all
 * queued answers in the database, so the limits hold across processes.
 */
export async function findExceededLimit(
  database: Kysely<Tables>,
  { key: { channelId, lane }, limits: { perConversation, perSender }, sender, now }: Asked,
): Promise<string | null> {
  const since = ({ withinMs }: ReplyLimit) => new Date(now.getTime() - withinMs);
  const { rows } = await sql<{ conversation: number; sender: number }>`
    with heard as (
      update lane set sender = ${sender}
      where channel_id = ${channelId} and lane = ${lane} and sender is distinct from ${sender}
    )
    select (
      select count(distinct message_id)::int from outbound_part
      where channel_id = ${channelId} and lane = ${lane} and author = 'bot' and status <> 'withheld'
        and created_at > ${since(perConversation)}
    ) as conversation, (
      select count(distinct outbound_part.message_id)::int from lane
      join outbound_part on outbound_part.channel_id = lane.channel_id and outbound_part.lane = lane.lane
      where lane.channel_id = ${channelId} and (lane.sender = ${sender} or lane.lane = ${lane})
        and outbound_part.author = 'bot' and outbound_part.status <> 'withheld'
        and outbound_part.created_at > ${since(perSender)}
    ) as sender
  `.execute(database);
  const [counted] = rows;
  if (counted === undefined) return null;
  if (counted.conversation >= perConversation.count)
    return describeLimit('this conversation', perConversation);
  return counted.sender >= perSender.count ? describeLimit('this sender', perSender) : null;
}

function describeLimit(scope: string, { count, withinMs }: ReplyLimit): string {
  const within =
    withinMs < HOUR_MS
      ? `${Math.round(withinMs / 60_000)} minutes`
      : `${Math.round((10 * withinMs) / HOUR_MS) / 10} hours`;
  return `${scope} received ${count} answers within ${within}: the sender may be a bot`;
}
