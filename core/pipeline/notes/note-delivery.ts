import { sql, type Transaction } from 'kysely';
import type { InboundEvent } from '../../contract/inbound-event.ts';
import type { Tables } from '../../storage/tables.ts';

interface Noted {
  readonly channelId: string;
  readonly event: Extract<InboundEvent, { type: 'delivery-reported' }>;
}

/** A state never goes back: what was read is not merely delivered again. */
export async function noteDelivery(
  transaction: Transaction<Tables>,
  { channelId, event: { outcome, because, messageId } }: Noted,
): Promise<void> {
  await sql`
    update outbound_part set status = ${outcome}, failure = coalesce(${because}, failure)
    where channel_id = ${channelId} and platform_message_id = ${messageId}
      and array_position(array['sent', 'delivered', 'read'], status) <
          coalesce(array_position(array['sent', 'delivered', 'read'], ${outcome}), 4)
  `.execute(transaction);
}
