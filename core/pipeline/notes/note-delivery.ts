import { sql, type Transaction } from 'kysely';
import type { DeliveryReport } from '../../contract/inbound-event.ts';
import type { Tables } from '../../storage/tables.ts';

interface Reported {
  readonly channelId: string;
  readonly event: DeliveryReport;
}

/**
 * Keeps what became of a part that was sent. A state never goes back: what was read is not merely delivered again. What
 * arrived and is then said to have failed, or the other way round, stays as it was told first, and says so.
 */
export async function noteDelivery(
  transaction: Transaction<Tables>,
  { channelId, event: { messageId, outcome, because } }: Reported,
): Promise<void> {
  const contradiction =
    outcome === 'failed'
      ? `Reported as failed afterwards: ${because ?? 'no reason was given.'}`
      : `Reported as ${outcome} afterwards.`;
  await sql`
    update outbound_part
    set status = case when told.is_news then ${outcome} else status end,
        failure = case when told.is_news then coalesce(${because}, failure)
                       when told.is_contradiction then concat_ws(' ', failure, ${contradiction}::text)
                       else failure end
    from (
      select number as told_number,
             (status = 'sent' and ${outcome} in ('delivered', 'read', 'failed'))
               or (status = 'delivered' and ${outcome} = 'read') as is_news,
             ((status in ('delivered', 'read') and ${outcome} = 'failed')
               or (status = 'failed' and ${outcome} in ('delivered', 'read')))
               and position(${contradiction}::text in coalesce(failure, '')) = 0 as is_contradiction
      from outbound_part where channel_id = ${channelId} and platform_message_id = ${messageId}
    ) told
    where number = told_number and (told.is_news or told.is_contradiction)
  `.execute(transaction);
}
