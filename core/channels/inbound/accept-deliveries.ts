import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { Delivery } from '../../contract/inbound.ts';
import type { Spans } from '../../tracing/spans.ts';
import { type OpenedAccount, UnreadableChannel } from '../accounts/channel-account.ts';
import type { ChannelAccounts } from '../accounts/channel-accounts.ts';
import { recordActivity } from '../accounts/channel-accounts.ts';
import type { ConnectorCalls } from '../connector-calls.ts';
import type { ConnectorRegistry } from '../connector-registry.ts';
import type { DeliveryBatcher } from './receive-deliveries.ts';

/** Stores deliveries of a platform. Resolves when they are stored durably, and rejects if they may be lost. */
export type AcceptDeliveries = (account: OpenedAccount, deliveries: readonly Delivery[]) => Promise<void>;

interface AcceptDependencies {
  readonly channelAccounts: ChannelAccounts;
  readonly clock: Clock;
  readonly connectorCalls: ConnectorCalls;
  readonly connectors: ConnectorRegistry;
  readonly log: Logger;
  readonly batches: Pick<DeliveryBatcher, 'add'>;
  /** Returns true if the key was not logged recently. */
  readonly isNews: (what: string) => boolean;
  /** Null unless spans are exported. */
  readonly spans: Spans | null;
}

/**
 * Stores deliveries of a platform, each for the channel that owns it, and acknowledges those that wait for an
 * acknowledgement. Resolves when all of them are stored durably.
 */
export async function acceptDeliveries(
  dependencies: AcceptDependencies,
  account: OpenedAccount,
  deliveries: readonly Delivery[],
): Promise<void> {
  const { batches, clock, spans } = dependencies;
  const startMs = spans === null ? 0 : clock.now().getTime();
  for (const { owner, deliveries: own } of await routeDeliveries(dependencies, account, deliveries)) {
    const fresh = await batches.add(owner, own);
    if (!(owner instanceof UnreadableChannel)) acknowledgeDeliveries(dependencies, owner, fresh);
    if (owner.id !== account.id) recordActivity(dependencies, owner.id);
    if (spans !== null) exportReceived({ spans, clock }, { owner, channel: account.channel, fresh, startMs });
  }
}

interface ReceivedDeliveries {
  readonly owner: Owner;
  /** The kind of channel. */
  readonly channel: string;
  /** The deliveries that were stored now. */
  readonly fresh: readonly Delivery[];
  readonly startMs: number;
}

function exportReceived(
  { spans, clock }: { readonly spans: Spans; readonly clock: Clock },
  { owner, channel: kind, fresh, startMs }: ReceivedDeliveries,
): void {
  const channel = { id: owner.id, kind, workspaceId: owner.workspaceId };
  const endMs = clock.now().getTime();
  for (const { id: eventId } of fresh) {
    spans.received({ origin: { channelId: owner.id, eventId }, channel, startMs, endMs });
  }
}

/** Sends acknowledgements without waiting for them. Failures are logged only. */
function acknowledgeDeliveries(
  { connectors, connectorCalls, log }: Pick<AcceptDependencies, 'connectors' | 'connectorCalls' | 'log'>,
  account: OpenedAccount,
  deliveries: readonly Delivery[],
): void {
  const connector = connectors.findConnector(account.channel);
  for (const { native, acknowledge } of deliveries) {
    if (acknowledge !== true || connector === undefined) continue;
    connectorCalls
      .call(account, async (tools) => connector.open(account).acknowledge?.(native, tools))
      .catch((err: unknown) => {
        log.warn({ err, channel: account.id }, 'acknowledging a delivery failed');
      });
  }
}

type RouteDependencies = Pick<AcceptDependencies, 'channelAccounts' | 'connectors' | 'isNews' | 'log'>;

/** The channel that deliveries are stored for. */
type Owner = OpenedAccount | UnreadableChannel;

interface OwnDeliveries {
  readonly owner: Owner;
  readonly deliveries: readonly Delivery[];
}

/**
 * Groups deliveries by owner: the tenant's channel if there is one, otherwise the account itself if it serves all
 * tenants or this tenant. It drops deliveries without an owner or for a disabled channel, because no other workspace
 * may ever answer them. Deliveries for a channel with unreadable credentials are stored for it without blocking
 * others.
 */
async function routeDeliveries(
  dependencies: RouteDependencies,
  account: OpenedAccount,
  deliveries: readonly Delivery[],
): Promise<readonly OwnDeliveries[]> {
  const { channelAccounts } = dependencies;
  const tenants = new Set(deliveries.flatMap(({ tenant }) => tenant ?? []));
  const children = await channelAccounts.children(account.id, [...tenants]);
  const byAccount = new Map<string, { owner: Owner; deliveries: Delivery[] }>();
  for (const delivery of deliveries) {
    const owner = await findOwner(dependencies, delivery, { account, children });
    if (owner === null) logDropped(dependencies, account, delivery);
    else {
      const own = byAccount.get(owner.id) ?? { owner, deliveries: [] };
      own.deliveries.push(delivery);
      byAccount.set(owner.id, own);
    }
  }
  return [...byAccount.values()];
}

async function findOwner(
  { channelAccounts, connectors }: RouteDependencies,
  { tenant }: Delivery,
  { account, children }: { readonly account: OpenedAccount; readonly children: ReadonlyMap<string, string> },
): Promise<Owner | null> {
  if (tenant === undefined) return account;
  const child = children.get(tenant);
  if (child !== undefined) {
    const found = await channelAccounts.account(child).catch(toUnreadableOwner);
    return found?.enabled === true ? found : null;
  }
  const own = connectors.findConnector(account.channel)?.open(account).tenancy?.tenant ?? null;
  return own === null || own === tenant ? account : null;
}

function toUnreadableOwner(error: unknown): UnreadableChannel {
  if (error instanceof UnreadableChannel) return error;
  throw error;
}

function logDropped({ log, isNews }: RouteDependencies, { id }: OpenedAccount, { tenant }: Delivery): void {
  if (!isNews(`${id} ${tenant}`)) return;
  log.warn({ channel: id, tenant }, 'delivery without an enabled channel dropped');
}
