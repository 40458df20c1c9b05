import type { Transaction } from 'kysely';
import type { InboundEvent } from '../../contract/inbound-event.ts';
import type { Tables } from '../../storage/tables.ts';

interface Told {
  readonly channelId: string;
  readonly event: Extract<InboundEvent, { type: 'reachable' }>;
}

/** What a visitor wishes himself is kept apart from what the platform can do. */
export async function noteReachable(
  transaction: Transaction<Tables>,
  { channelId, event: { conversation, reachable, wished } }: Told,
): Promise<void> {
  await transaction
    .updateTable('lane')
    .set({ reachable, ...(wished === true && { opted_out: !reachable }) })
    .where('channel_id', '=', channelId)
    .where('lane', '=', conversation.lane)
    .execute();
}
