import type { Delivery } from '../contract/delivery.ts';
import type { ReceivingChannel } from './receive-deliveries.ts';

type Receive = (channel: ReceivingChannel, deliveries: readonly Delivery[]) => Promise<readonly Delivery[]>;

interface Waiting {
  readonly deliveries: readonly Delivery[];
  readonly stored: PromiseWithResolvers<readonly Delivery[]>;
}

/**
 * Stores what a channel is told while something of it is being stored in one go: each commit waits for the disk, and fifty
 * requests at once would wait for one another's. What comes alone is stored at once.
 */
export class DeliveryBatches {
  readonly #receive: Receive;
  /** Of channels of which something is being stored. */
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(receive: Receive) {
    this.#receive = receive;
  }

  /** Resolves with those that are new, when they cannot be lost any more. */
  take(channel: ReceivingChannel, deliveries: readonly Delivery[]): Promise<readonly Delivery[]> {
    const waiting: Waiting = { deliveries, stored: Promise.withResolvers() };
    const others = this.#waiting.get(channel.id);
    if (others !== undefined) others.push(waiting);
    else {
      this.#waiting.set(channel.id, []);
      void this.#store(channel, [waiting]);
    }
    return waiting.stored.promise;
  }

  async #store(channel: ReceivingChannel, batch: readonly Waiting[]): Promise<void> {
    for (let next = batch; next.length > 0; next = this.#waiting.get(channel.id)?.splice(0) ?? []) {
      await this.#storeTogether(channel, next);
    }
    this.#waiting.delete(channel.id);
  }

  async #storeTogether(channel: ReceivingChannel, batch: readonly Waiting[]): Promise<void> {
    try {
      const all = await this.#receive(
        channel,
        batch.flatMap(({ deliveries }) => deliveries),
      );
      const fresh = new Set(all);
      for (const { deliveries, stored } of batch)
        stored.resolve(deliveries.filter((delivery) => fresh.has(delivery)));
    } catch (error) {
      // What the database does not take of one is no fault of the others.
      if (batch.length === 1) for (const { stored } of batch) stored.reject(error);
      else for (const one of batch) await this.#storeTogether(channel, [one]);
    }
  }
}
