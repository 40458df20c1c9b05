import { sql } from 'kysely';
import { tellingTransaction } from '../webhooks/telling-transaction.ts';
import { type HeldLane, requireHeld } from './hold-lane.ts';
import { markHandled } from './mark-handled.ts';
import type { VisitorTurn } from './next-step.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';

interface Asked {
  readonly held: HeldLane;
  readonly turn: VisitorTurn;
  readonly numbers: readonly string[];
}

/**
 * Sends the next part that was kept of the newest answer, where the visitor asks for more: the word itself is no part of
 * the conversation. False where nothing is kept of it: then it is an ordinary word.
 */
export async function releaseMore(
  { database, clock, wakeDeliveries }: Pick<PipelineDependencies, 'database' | 'clock' | 'wakeDeliveries'>,
  { held, turn, numbers }: Asked,
): Promise<boolean> {
  const { channelId, lane } = held;
  const now = clock.now();
  return tellingTransaction({ database: database.kysely, wakeDeliveries }, async (transaction) => {
    await requireHeld(transaction, held);
    const released = await sql`
      update outbound_part set status = 'waiting', next_attempt_at = ${now}
      where number = (
        select min(number) from outbound_part
        where channel_id = ${channelId} and lane = ${lane} and status = 'held' and collect_key is null and message_id = (
          select message_id from outbound_part
          where channel_id = ${channelId} and lane = ${lane} order by number desc limit 1
        )
      )
      returning 1
    `.execute(transaction);
    if (released.rows.length === 0) return false;
    await transaction
      .updateTable('lane')
      .set({ heard_at: sql<Date>`greatest(heard_at, ${turn.sentAt})` })
      .where('channel_id', '=', channelId)
      .where('lane', '=', lane)
      .execute();
    await markHandled(transaction, { channelId, numbers, now });
    return true;
  });
}
