import { sql, type Transaction } from 'kysely';
import type { InboundEvent } from '../../contract/inbound-event.ts';
import type { Tables } from '../../storage/tables.ts';

interface Over {
  readonly channelId: string;
  readonly event: Extract<InboundEvent, { type: 'collection-over' }>;
}

/** What was kept for who has gone is given up; the lane is out of reach unless it has gone on elsewhere since. */
export async function noteCollectionOver(
  transaction: Transaction<Tables>,
  { channelId, event: { conversation, key, because } }: Over,
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
