import { type Kysely, sql } from 'kysely';
import type { ReplyLimit, ReplyLimits } from '../contract/reply-limits.ts';
import type { Tables } from '../storage/tables.ts';
import type { LaneKey } from './lane-key.ts';

const HOUR_MS = 3_600_000;

interface Asked {
  readonly key: LaneKey;
  readonly limits: ReplyLimits;
  /** Who would be answered, as the platform names him. */
  readonly sender: string;
  readonly now: Date;
}

/**
 * Why nobody is answered any more, as the person who looks at the conversation reads it; null where an answer is within
 * the limits. Counted over what was written to be sent, whichever process did.
 */
export async function overReplyLimit(
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
  if (counted.conversation >= perConversation.count) return told('this conversation', perConversation);
  return counted.sender >= perSender.count ? told('this sender', perSender) : null;
}

function told(where: string, { count, withinMs }: ReplyLimit): string {
  const within =
    withinMs < HOUR_MS
      ? `${Math.round(withinMs / 60_000)} minutes`
      : `${Math.round((10 * withinMs) / HOUR_MS) / 10} hours`;
  return `${where} was given ${count} answers within ${within}: this may be a dialogue with a machine`;
}
