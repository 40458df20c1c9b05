import { sql } from 'kysely';
import type { InboundEvent } from '../contract/inbound-event.ts';
import { tellingTransaction } from '../webhooks/telling-transaction.ts';
import type { HeldLane } from './hold-lane.ts';
import { markHandled } from './mark-handled.ts';
import { moveLane } from './move-lane.ts';
import { noteFeedback } from './notes/note-feedback.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';

type Noted = Exclude<InboundEvent, { type: 'message' }>;

interface Told {
  readonly held: HeldLane;
  readonly numbers: readonly string[];
  readonly event: Noted;
}

/** Keeps what happened on the platform that is no question. */
export async function takeNote(
  {
    database,
    clock,
    log,
    wakeDeliveries,
  }: Pick<PipelineDependencies, 'database' | 'clock' | 'log' | 'wakeDeliveries'>,
  { held, numbers, event }: Told,
): Promise<void> {
  const { channelId } = held;
  await tellingTransaction({ database: database.kysely, wakeDeliveries }, async (transaction) => {
    if (event.type === 'moved') await moveLane(transaction, { channelId, from: event.from, to: event.to });
    if (event.type === 'feedback') {
      await noteFeedback(transaction, { channelId, event, now: clock.now(), log });
    }
    if (event.type === 'reachable') {
      await transaction
        .updateTable('lane')
        .set({ reachable: event.reachable })
        .where('channel_id', '=', channelId)
        .where('lane', '=', event.conversation.lane)
        .execute();
    }
    if (event.type === 'delivery-reported') {
      // A state never goes back: what was read is not merely delivered again.
      await sql`
        update outbound_part set status = ${event.outcome}, failure = coalesce(${event.because}, failure)
        where channel_id = ${channelId} and platform_message_id = ${event.messageId}
          and array_position(array['sent', 'delivered', 'read'], status) <
              coalesce(array_position(array['sent', 'delivered', 'read'], ${event.outcome}), 4)
      `.execute(transaction);
    }
    await markHandled(transaction, { channelId, numbers, now: clock.now() });
  });
}
