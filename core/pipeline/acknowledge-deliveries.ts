import type { OpenedAccount } from '../channels/opened-account.ts';
import type { Delivery } from '../contract/delivery.ts';
import type { Runtime } from '../runtime.ts';

/** Tells a platform that what it waits for was heard, without waiting for it. What fails of it nobody misses. */
export function acknowledgeDeliveries(
  { connectors, connectorCalls, log }: Pick<Runtime, 'connectors' | 'connectorCalls' | 'log'>,
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
