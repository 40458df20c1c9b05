import { type Kysely, sql, type Transaction } from 'kysely';
import type { LaneDependencies } from '../../core/channels/inbound/lane-dependencies.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { DeliveryReport } from '../../core/contract/inbound.ts';
import type { Tables } from '../../core/storage/tables/tables.ts';
import { eventTransaction } from '../../core/webhooks/event-transaction.ts';

type Dependencies = Pick<
  LaneDependencies,
  'clock' | 'connectorCalls' | 'database' | 'findAccount' | 'log' | 'scheduleDeliveries'
>;

interface SentPart {
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

/**
 * Polls platforms for the status of parts without a recent delivery report, because reports get lost. A polled
 * status counts like a report, so a status never moves backwards.
 */
export async function pollDeliveryStatus(dependencies: Dependencies): Promise<void> {
  const { database, clock, log } = dependencies;
  for (const part of await claimDuePolls(database.kysely, clock.now())) {
    try {
      await settle(dependencies, part, await pollPart(dependencies, part));
    } catch (err) {
      if (!(err instanceof ConnectorError)) throw err;
      log.warn({ err, channel: part.channel_id, part: part.number }, 'delivery status poll failed');
      if (err.advice.retry === 'never' && !err.account) await settle(dependencies, part, null);
    }
  }
}

/** Claims the due polls, so that no other process polls the same parts. */
async function claimDuePolls(database: Kysely<Tables>, now: Date): Promise<readonly SentPart[]> {
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

/** Null if the platform has no newer status or cannot be polled. */
async function pollPart(
  { connectorCalls, findAccount }: Dependencies,
  { channel_id, platform_message_id }: SentPart,
): Promise<DeliveryReport | null> {
  const open = await findAccount(channel_id);
  const outcome = open?.connector.facets.outcome;
  if (open == null || outcome === undefined) return null;
  const { account } = open;
  return connectorCalls.call(account, (tools) => outcome.ask(platform_message_id, account, tools));
}

async function settle(
  { database, scheduleDeliveries }: Pick<Dependencies, 'database' | 'scheduleDeliveries'>,
  { number, channel_id: channelId }: SentPart,
  event: DeliveryReport | null,
): Promise<void> {
  await eventTransaction({ database: database.kysely, scheduleDeliveries }, async (transaction) => {
    if (event !== null) await onDeliveryReport(transaction, { channelId, event });
    await transaction
      .updateTable('outbound_part')
      .set({ ask_at: null })
      .where('number', '=', number)
      .execute();
  });
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
