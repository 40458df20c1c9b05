import { UnreadableChannel } from '../channels/account-of.ts';
import { noteHeard } from '../channels/note-heard.ts';
import type { OpenedAccount } from '../channels/opened-account.ts';
import type { Delivery } from '../contract/delivery.ts';
import type { Runtime } from '../runtime.ts';
import { acknowledgeDeliveries } from './acknowledge-deliveries.ts';
import { deliveriesByAccount } from './deliveries-by-account.ts';
import type { DeliveryBatches } from './delivery-batches.ts';

type Dependencies = Pick<Runtime, 'channelAccounts' | 'clock' | 'connectorCalls' | 'connectors' | 'log'> & {
  readonly batches: Pick<DeliveryBatches, 'take'>;
  /** Tells whether something was last said a while ago. */
  readonly isNews: (what: string) => boolean;
};

/**
 * Stores what a platform told of an account, each delivery for whose it is, and acknowledges what waits for that.
 * Resolves when nothing of it can be lost any more.
 */
export async function takeDeliveries(
  dependencies: Dependencies,
  account: OpenedAccount,
  deliveries: readonly Delivery[],
): Promise<void> {
  const { batches } = dependencies;
  for (const { owner, deliveries: own } of await deliveriesByAccount(dependencies, account, deliveries)) {
    const fresh = await batches.take(owner, own);
    if (!(owner instanceof UnreadableChannel)) acknowledgeDeliveries(dependencies, owner, fresh);
    if (owner.id !== account.id) noteHeard(dependencies, owner.id);
  }
}
