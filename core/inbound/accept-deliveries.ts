import { type OpenedAccount, UnreadableChannel } from '../channels/channel-account.ts';
import type { ChannelAccounts } from '../channels/channel-accounts.ts';
import { recordActivity } from '../channels/channel-accounts.ts';
import type { ConnectorCalls } from '../channels/connector-calls.ts';
import type { ConnectorRegistry } from '../channels/connector-registry.ts';
import type { Clock } from '../clock.ts';
import type { Delivery } from '../contract/inbound.ts';
import type { Logger } from '../log.ts';
import type { DeliveryBatcher } from './receive-deliveries.ts';

/** Stores what a platform told of an account; resolves when it cannot be lost any more, and rejects where it may be. */
export type AcceptDeliveries = (account: OpenedAccount, deliveries: readonly Delivery[]) => Promise<void>;

interface AcceptDeliveriesDependencies {
  readonly channelAccounts: ChannelAccounts;
  readonly clock: Clock;
  readonly connectorCalls: ConnectorCalls;
  readonly connectors: ConnectorRegistry;
  readonly log: Logger;
  readonly batches: Pick<DeliveryBatcher, 'add'>;
  /** Tells whether something was last said a while ago. */
  readonly isNews: (what: string) => boolean;
}

/**
 * Stores what a platform told of an account, each delivery for whose it is, and acknowledges what waits for that.
 * Resolves when nothing of it can be lost any more.
 */
export async function acceptDeliveries(
  dependencies: AcceptDeliveriesDependencies,
  account: OpenedAccount,
  deliveries: readonly Delivery[],
): Promise<void> {
  const { batches } = dependencies;
  for (const { owner, deliveries: own } of await routeDeliveries(dependencies, account, deliveries)) {
    const fresh = await batches.add(owner, own);
    if (!(owner instanceof UnreadableChannel)) acknowledgeDeliveries(dependencies, owner, fresh);
    if (owner.id !== account.id) recordActivity(dependencies, owner.id);
  }
}

/** Tells a platform that what it waits for was heard, without waiting for it. What fails of it nobody misses. */
function acknowledgeDeliveries(
  {
    connectors,
    connectorCalls,
    log,
  }: Pick<AcceptDeliveriesDependencies, 'connectors' | 'connectorCalls' | 'log'>,
  account: OpenedAccount,
  deliveries: readonly Delivery[],
): void {
  const facets = connectors.findConnector(account.channel)?.facets;
  for (const { native, acknowledge } of deliveries) {
    if (acknowledge !== true || facets?.acknowledge === undefined) continue;
    const tell = facets.acknowledge;
    connectorCalls
      .call(account, (tools) => tell(native, account, tools))
      .catch((err: unknown) => {
        log.warn({ err, channel: account.id }, 'a platform was not told that it was heard');
      });
  }
}

type RouteDependencies = Pick<
  AcceptDeliveriesDependencies,
  'channelAccounts' | 'connectors' | 'isNews' | 'log'
>;

/** Whose deliveries are stored. */
type Owner = OpenedAccount | UnreadableChannel;

interface OwnDeliveries {
  readonly owner: Owner;
  readonly deliveries: readonly Delivery[];
}

/**
 * Whose each delivery is: its tenant's channel where there is one, else the account's own where that is for all or for
 * this tenant. What is nobody's is dropped, and so is what is of a channel that is switched off: no other workspace may
 * ever answer it. What is of a channel that cannot be read is stored for it, and nobody else waits for that.
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
    const found = await channelAccounts.account(child).catch(asOwner);
    return found?.enabled === true ? found : null;
  }
  const own = connectors.findConnector(account.channel)?.facets.tenancy?.tenantOf(account) ?? null;
  return own === null || own === tenant ? account : null;
}

function asOwner(error: unknown): UnreadableChannel {
  if (error instanceof UnreadableChannel) return error;
  throw error;
}

function logDropped({ log, isNews }: RouteDependencies, { id }: OpenedAccount, { tenant }: Delivery): void {
  if (!isNews(`${id} ${tenant}`)) return;
  log.warn({ channel: id, tenant }, 'what is of no channel that is in use was dropped');
}
