import { type Kysely, sql, type Transaction } from 'kysely';
import type { DeliveryReport } from '../../contract/inbound.ts';
import type { Tables } from '../../storage/tables/tables.ts';

export interface SentPart {
  readonly number: string;
  readonly channel_id: string;
  readonly platform_message_id: string;
}

/**
 * Maximum number of status requests per round, to stay below platform rate limits. The rest follows in the next
 * round.
 */
const MAX_POLLS = 20;

/** Delay before the next poll of a part if the process dies or the platform does not answer. */
const POLL_RETRY_MS = 3_600_000;

/** Schedules a status poll for a sent part. */
export async function scheduleStatusPoll(
  database: Kysely<Tables>,
  { number, at }: { readonly number: string; readonly at: Date },
): Promise<void> {
  await database
    .updateTable('outbound_part')
    .set({ ask_at: at })
    .where('number', '=', number)
    .where('status', '=', 'sent')
    .execute();
}

/** Claims the due polls, so that no other process polls the same parts. */
export async function claimDuePolls(database: Kysely<Tables>, now: Date): Promise<readonly SentPart[]> {
  const { rows } = await sql<SentPart>`
    update outbound_part set ask_at = ${new Date(now.getTime() + POLL_RETRY_MS)}
    where number in (
      select number from outbound_part
      where ask_at <= ${now} and status = 'sent' and platform_message_id is not null
      order by ask_at limit ${MAX_POLLS} for update skip locked
    )
    returning number, channel_id, platform_message_id
  `.execute(database);
  return rows;
}

interface Reported {
  readonly channelId: string;
  readonly event: DeliveryReport;
}

/**
 * Stores the reported status of a sent part. A status never moves backwards: a part that was read does not
 * become delivered. If a report contradicts the stored result (delivered, then failed, or the reverse), the
 * first result stays and the contradiction is appended to `failure`.
 */
export async function onDeliveryReport(
  transaction: Transaction<Tables>,
  { channelId, event: { messageId, outcome, because } }: Reported,
): Promise<void> {
  const contradiction =
    outcome === 'failed'
      ? `Reported as failed afterwards: ${because ?? 'no reason was given.'}`
      : `Reported as ${outcome} afterwards.`;
  await sql`
    update outbound_part
    set status = case when report.is_news then ${outcome} else status end,
        failure = case when report.is_news then coalesce(${because}, failure)
                       when report.is_contradiction then concat_ws(' ', failure, ${contradiction}::text)
                       else failure end
    from (
      select number as reported_number,
             (status = 'sent' and ${outcome} in ('delivered', 'read', 'failed'))
               or (status = 'delivered' and ${outcome} = 'read') as is_news,
             ((status in ('delivered', 'read') and ${outcome} = 'failed')
               or (status = 'failed' and ${outcome} in ('delivered', 'read')))
               and position(${contradiction}::text in coalesce(failure, '')) = 0 as is_contradiction
      from outbound_part where channel_id = ${channelId} and platform_message_id = ${messageId}
    ) report
    where number = reported_number and (report.is_news or report.is_contradiction)
  `.execute(transaction);
}

/** The part is not polled again. */
export async function endStatusPolls(transaction: Transaction<Tables>, number: string): Promise<void> {
  await transaction.updateTable('outbound_part').set({ ask_at: null }).where('number', '=', number).execute();
}
