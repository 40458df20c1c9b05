import type { Logger } from '../log.ts';
import { OwnerCounts } from '../queue/owner-counts.ts';

type Deliver = (deliveryId: string) => Promise<unknown>;

interface Options {
  readonly deliver: Deliver;
  readonly log: Pick<Logger, 'error'>;
}

/** Of one receiver so many are waited for at once. */
const mostOfOne = 4;
/** What comes beyond that the housekeeping wakes again. */
const mostWaiting = 1_000;

/** Has deliveries made, few of each receiver at a time: one that does not answer holds up no others. */
export class Receivers {
  readonly #options: Options;
  readonly #running = new OwnerCounts();
  readonly #waiting = new Map<string, string[]>();
  #closed = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Rejects as the delivery does. Where its receiver has enough to answer it is made after those, and not waited for. */
  async deliver(receiver: string, deliveryId: string): Promise<void> {
    if (this.#running.of(receiver) >= mostOfOne) {
      this.#leave(receiver, deliveryId);
      return;
    }
    this.#running.add(receiver, 1);
    try {
      await this.#options.deliver(deliveryId);
    } finally {
      await this.#deliverWaiting(receiver);
      this.#running.add(receiver, -1);
    }
  }

  /** Begins nothing more: what waits is another's. */
  close(): void {
    this.#closed = true;
    this.#waiting.clear();
  }

  #leave(receiver: string, deliveryId: string): void {
    const waiting = this.#waiting.get(receiver) ?? [];
    if (this.#closed || waiting.length >= mostWaiting || waiting.includes(deliveryId)) return;
    waiting.push(deliveryId);
    this.#waiting.set(receiver, waiting);
  }

  async #deliverWaiting(receiver: string): Promise<void> {
    const { deliver, log } = this.#options;
    for (;;) {
      const next = this.#waiting.get(receiver)?.shift();
      if (next === undefined) break;
      await deliver(next).catch((err: unknown) => {
        log.error({ err, delivery: next }, 'a webhook could not be tried: it will be within a minute');
      });
    }
    this.#waiting.delete(receiver);
  }
}
