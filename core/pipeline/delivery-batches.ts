import type { Delivery } from '../contract/delivery.ts';
import { Together } from '../together.ts';
import type { ReceivingChannel } from './store-deliveries.ts';

type Receive = (channel: ReceivingChannel, deliveries: readonly Delivery[]) => Promise<readonly Delivery[]>;

/**
 * Stores what a channel is told while something of it is being stored in one go: each commit waits for the disk, and fifty
 * requests at once would wait for one another's.
 */
export class DeliveryBatches {
  readonly #together: Together<ReceivingChannel, readonly Delivery[], Delivery[]>;

  constructor(receive: Receive) {
    this.#together = new Together({
      nameOf: ({ id }) => id,
      run: async (channel, told) => {
        const fresh = new Set(await receive(channel, told.flat()));
        return (deliveries) => deliveries.filter((delivery) => fresh.has(delivery));
      },
      thenAlone: 'in order',
    });
  }

  /** Resolves with those that are new, when they cannot be lost any more. */
  take(channel: ReceivingChannel, deliveries: readonly Delivery[]): Promise<readonly Delivery[]> {
    return this.#together.ask(channel, deliveries);
  }
}
