import type { Transaction } from 'kysely';
import type { InboundEvent } from '../../contract/inbound-event.ts';
import type { Tables } from '../../storage/tables.ts';

interface AskedFor {
  readonly channelId: string;
  readonly event: Extract<InboundEvent, { type: 'asked-for' }>;
  readonly now: Date;
}

/** What was kept for the visitor is to be sent now. */
export async function noteAskedFor(
  transaction: Transaction<Tables>,
  { channelId, event: { conversation, what }, now }: AskedFor,
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
