import { randomUUID } from 'node:crypto';
import { dnsRecords } from '../base/dns-records.ts';
import { ChannelAccounts } from '../channels/accounts/channel-accounts.ts';
import { Channels } from '../channels/channels.ts';
import { ConnectorCalls, openChannelFetch } from '../channels/connector-calls.ts';
import type { ConnectorRegistry } from '../channels/connector-registry.ts';
import { type AcceptDeliveries, acceptDeliveries } from '../channels/inbound/accept-deliveries.ts';
import { BurstCollector } from '../channels/inbound/burst-collector.ts';
import { releaseStaleLeases } from '../channels/inbound/lane.ts';
import type { LaneServices } from '../channels/inbound/lane-dependencies.ts';
import { LaneHandover, LaneLeaseBatcher } from '../channels/inbound/lane-work.ts';
import { DeliveryBatcher, receiveDeliveries } from '../channels/inbound/receive-deliveries.ts';
import { wakeLaneInBackground } from '../channels/inbound/wake-lanes.ts';
import { Installs } from '../channels/installs.ts';
import { MailboxSetup } from '../channels/mailbox-setup.ts';
import { readLinkedFile } from '../channels/outbound/agent-files.ts';
import { RateLimitHolds } from '../channels/outbound/send-budgets.ts';
import { BudgetWaitQueue, PlatformOutages, sendConcurrency } from '../channels/outbound/send-queue.ts';
import { SentPartBatcher } from '../channels/outbound/sent-batches.ts';
import { noJournal } from '../channels/outbound/sent-journal.ts';
import type { DnsRecords } from '../contract/mail/mailbox-setup.ts';
import { AdaptiveConcurrency } from '../queue/adaptive-concurrency.ts';
import { openJournal } from './open-journal.ts';
import { findDatabaseId, isAlone, type StorageServices, sealedStores } from './open-storage.ts';
import type { Opening } from './opening.ts';

type SendingServices = Pick<
  LaneServices,
  | 'rateLimitHolds'
  | 'outages'
  | 'sendingConcurrency'
  | 'budgetWaitQueue'
  | 'sentPartBatcher'
  | 'sentJournal'
  | 'laneLeases'
  | 'laneHandover'
  | 'bursts'
>;

/** Channel accounts, what platforms send to them, and what is sent to platforms. */
export interface ChannelServices extends SendingServices {
  readonly connectors: ConnectorRegistry;
  readonly connectorCalls: ConnectorCalls;
  readonly channels: Channels;
  readonly installs: Installs;
  readonly mailboxSetup: MailboxSetup;
  readonly channelAccounts: ChannelAccounts;
  /** Entry point for inbound webhook deliveries. */
  readonly inbound: { readonly accept: AcceptDeliveries };
}

export async function openChannels(
  opening: Opening,
  storage: StorageServices,
  connectors: ConnectorRegistry,
  { dns = dnsRecords }: { readonly dns?: DnsRecords },
): Promise<ChannelServices> {
  const { log, clock, isNews, spans } = opening;
  const { database, queue } = storage;
  const sealed = sealedStores(opening, storage);
  if (isAlone(database)) await releaseStaleLeases(database.kysely);
  const connectorCalls = openConnectorCalls(opening, storage);
  const channelAccounts = new ChannelAccounts({ ...sealed, registry: connectors, urgent: database.urgent });
  const linked = { ...sealed, registry: connectors, calls: connectorCalls, accounts: channelAccounts };
  const channels = new Channels({ ...linked, log });
  const sending = await openSending(opening, storage);
  const { laneHandover } = sending;
  const batches = new DeliveryBatcher((channel, deliveries) =>
    receiveDeliveries({ database: database.urgent, clock, log, queue, laneHandover }, channel, deliveries),
  );
  const intake = { batches, clock, log, connectors, connectorCalls, channelAccounts, isNews, spans };
  return {
    ...sending,
    ...{ connectors, connectorCalls, channels, channelAccounts },
    installs: new Installs({ ...linked, channels }),
    mailboxSetup: new MailboxSetup({ registry: connectors, calls: connectorCalls, dns }),
    inbound: { accept: (account, deliveries) => acceptDeliveries(intake, account, deliveries) },
  };
}

function openConnectorCalls(
  { config, clock, log, metrics, threads, onClose }: Opening,
  { database }: StorageServices,
): ConnectorCalls {
  const { fetch, resolve, close } = openChannelFetch({ allowPrivate: config.ALLOW_PRIVATE_CHANNELS });
  onClose(close);
  return new ConnectorCalls({
    ...{ clock, log, fetch, resolve, threads },
    readFile: (url) => readLinkedFile(database.kysely, url),
    count: (channel, outcome) => metrics.channels.called(channel, outcome),
  });
}

async function openSending(
  { config, log, clock, wait, isNews, onClose }: Opening,
  { database, queue, settings, processes }: StorageServices,
): Promise<SendingServices> {
  const stores = { database: database.kysely, clock };
  const now = () => clock.now().getTime();
  const sentPartBatcher = new SentPartBatcher(database.urgent);
  const sentJournal = await openJournal({
    ...{ config, log, isNews, sentPartBatcher, processes },
    alone: isAlone(database),
    databaseId: await findDatabaseId(settings),
  });
  onClose(async () => sentJournal.close());
  const budgetWaitQueue = new BudgetWaitQueue({
    now,
    call: (key) => wakeLaneInBackground({ queue, log }, { name: 'deliver', id: randomUUID(), key }),
  });
  onClose(async () => budgetWaitQueue.close());
  return {
    ...{ sentPartBatcher, sentJournal, budgetWaitQueue },
    sendingConcurrency: new AdaptiveConcurrency(sendConcurrency({ journal: sentJournal !== noJournal })),
    rateLimitHolds: new RateLimitHolds({ ...stores, log }),
    outages: new PlatformOutages({ now }),
    laneLeases: new LaneLeaseBatcher(stores),
    laneHandover: new LaneHandover(),
    bursts: new BurstCollector({ clock, wait }),
  };
}
