import type { LaneDependencies } from '../../core/channels/inbound/lane-dependencies.ts';
import {
  claimDuePolls,
  endStatusPolls,
  onDeliveryReport,
  type SentPart,
} from '../../core/channels/outbound/delivery-reports.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { DeliveryReport } from '../../core/contract/inbound.ts';
import { eventTransaction } from '../../core/webhooks/event-transaction.ts';

type Dependencies = Pick<
  LaneDependencies,
  'clock' | 'connectorCalls' | 'database' | 'findAccount' | 'log' | 'scheduleDeliveries'
>;

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

/** Null if the platform has no newer status or cannot be polled. */
async function pollPart(
  { connectorCalls, findAccount }: Dependencies,
  { channel_id, platform_message_id }: SentPart,
): Promise<DeliveryReport | null> {
  const open = await findAccount(channel_id);
  const outcome = open?.connector.open(open.account).outcome;
  if (open == null || outcome === undefined) return null;
  const { account } = open;
  return connectorCalls.call(account, (tools) => outcome.ask(platform_message_id, tools));
}

async function settle(
  { database, scheduleDeliveries }: Pick<Dependencies, 'database' | 'scheduleDeliveries'>,
  { number, channel_id: channelId }: SentPart,
  event: DeliveryReport | null,
): Promise<void> {
  await eventTransaction({ database: database.kysely, scheduleDeliveries }, async (transaction) => {
    if (event !== null) await onDeliveryReport(transaction, { channelId, event });
    await endStatusPolls(transaction, number);
  });
}
