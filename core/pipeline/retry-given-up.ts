import { type Kysely, sql } from 'kysely';
import type { Tables } from '../storage/tables.ts';
import type { KeptQueue } from './kept-queue.ts';

/**
 * What was given up is to be tried again, at once: messages that no answer was made for, or answers that could not be
 * sent. Returns how many. They are due as of a minute ago: whoever wakes what was left undone wakes them too.
 */
export async function retryGivenUp(
  database: Kysely<Tables>,
  name: KeptQueue,
  { now, channelId }: { readonly now: Date; readonly channelId: string | null },
): Promise<number> {
  const ofChannel = channelId === null ? sql`true` : sql`channel_id = ${channelId}`;
  const retried =
    name === 'answer'
      ? sql`update inbound_event set failure = null, attempts = 0, settled_at = clock_timestamp() - interval '1 minute'
            where failure is not null and handled_at is null and ${ofChannel}`
      : sql`update outbound_part set status = 'waiting', attempts = 0, next_attempt_at = ${now}::timestamptz - interval '1 minute'
            where status = 'dead' and ${ofChannel}`;
  const { numAffectedRows } = await retried.execute(database);
  return Number(numAffectedRows ?? 0n);
}
