import { UnreadableChannel } from '../channels/account-of.ts';
import type { OpenedAccount } from '../channels/opened-account.ts';
import type { Delivery } from '../contract/delivery.ts';
import type { Runtime } from '../runtime.ts';

interface Dependencies extends Pick<Runtime, 'channelAccounts' | 'connectors' | 'log'> {
  readonly isNews: (what: string) => boolean;
}

/** Whose deliveries are stored. */
export type Owner = OpenedAccount | UnreadableChannel;

interface OwnDeliveries {
  readonly owner: Owner;
  readonly deliveries: readonly Delivery[];
}

/**
 * Whose each delivery is: its tenant's channel where there is one, else the account's own where that is for all or for
 * this tenant. What is nobody's is dropped, and so is what is of a channel that is switched off: no other workspace may
 * ever answer it. What is of a channel that cannot be read is stored for it, and nobody else waits for that.
 */
export async function deliveriesByAccount(
  dependencies: Dependencies,
  account: OpenedAccount,
  deliveries: readonly Delivery[],
): Promise<readonly OwnDeliveries[]> {
  const { channelAccounts } = dependencies;
  const tenants = new Set(deliveries.flatMap(({ tenant }) => tenant ?? []));
  const children = await channelAccounts.children(account.id, [...tenants]);
  const byAccount = new Map<string, { owner: Owner; deliveries: Delivery[] }>();
  for (const delivery of deliveries) {
    const owner = await ownerOf(dependencies, delivery, { account, children });
    if (owner === null) tellDropped(dependencies, account, delivery);
    else {
      const own = byAccount.get(owner.id) ?? { owner, deliveries: [] };
      own.deliveries.push(delivery);
      byAccount.set(owner.id, own);
    }
  }
  return [...byAccount.values()];
}

async function ownerOf(
  { channelAccounts, connectors }: Dependencies,
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

function tellDropped({ log, isNews }: Dependencies, { id }: OpenedAccount, { tenant }: Delivery): void {
  if (!isNews(`${id} ${tenant}`)) return;
  log.warn({ channel: id, tenant }, 'what is of no channel that is in use was dropped');
}
