import { type Kysely, sql } from 'kysely';
import type { JobQueue } from '../queue/queue.ts';
import type { Tables } from '../storage/tables.ts';

interface Lane {
  readonly channel_id: string;
  readonly lane: string;
  readonly number: string;
}

/** So many at once: what is still left comes with the next round. */
const most = 500;
/** What came just now is on its way. */
const graceSeconds = 5;
/** Channels by turns: one that has more lanes than a round wakes, and cannot work in them, keeps no other from being woken. */
const turn = (channel: string, number: string) =>
  sql`row_number() over (partition by ${sql.ref(channel)} order by min(${sql.ref(number)})), 3`;
/** And so is the one whose app it shares. */
const isOn = sql`channel.enabled and not exists (
  select from channel parent where parent.id = channel.parent_id and not parent.enabled
)`;

interface Round {
  readonly now: Date;
  /** Tells one call from the next. */
  readonly round: string;
  /** Of a process that has only begun: what came before it is on nobody's way. */
  readonly isFirst?: boolean;
}

/**
 * Wakes workers for what came and was never picked up, and for what is to be sent and was not: whatever became of the
 * jobs.
 */
export async function wakeLanes(
  database: Kysely<Tables>,
  queue: Pick<JobQueue, 'add'>,
  { now, round, isFirst = false }: Round,
): Promise<void> {
  const grace = sql`make_interval(secs => ${isFirst ? 0 : graceSeconds})`;
  const unanswered = await sql<Lane>`
    select inbound_event.channel_id, inbound_event.lane, min(inbound_event.number) as number from inbound_event
    join lane on lane.channel_id = inbound_event.channel_id and lane.lane = inbound_event.lane
    join channel on channel.id = lane.channel_id and ${isOn}
    where inbound_event.handled_at is null and inbound_event.failure is null
      and inbound_event.settled_at < clock_timestamp() - ${grace}
      and (lane.answering is null or lane.answering_until < clock_timestamp())
    group by 1, 2 order by ${turn('inbound_event.channel_id', 'inbound_event.number')} limit ${most}
  `.execute(database);
  const unsent = await sql<Lane>`
    select outbound_part.channel_id, outbound_part.lane, min(outbound_part.number) as number from outbound_part
    join lane on lane.channel_id = outbound_part.channel_id and lane.lane = outbound_part.lane
    join channel on channel.id = lane.channel_id and ${isOn}
    where outbound_part.status = 'waiting' and outbound_part.next_attempt_at < ${now}::timestamptz - ${grace}
      and (lane.sending is null or lane.sending_until < clock_timestamp())
    group by 1, 2 order by ${turn('outbound_part.channel_id', 'outbound_part.number')} limit ${most}
  `.execute(database);
  const wake = async (name: 'answer' | 'deliver', { channel_id, lane, number }: Lane) =>
    queue.add(name, `${channel_id}-${number}-${round}`, { channelId: channel_id, lane });
  for (const lane of unanswered.rows) await wake('answer', lane);
  for (const lane of unsent.rows) await wake('deliver', lane);
}
