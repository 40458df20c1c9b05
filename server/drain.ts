import type { FastifyReply } from 'fastify';

/** Knows which requests are in flight, and whether new ones are still taken. */
export class Drain {
  readonly #begun = new AbortController();
  readonly #empty = Promise.withResolvers<void>();
  readonly #held = new Map<Promise<unknown>, () => void>();
  #inFlight = 0;

  /** Aborted when draining begins: what merely waits should stop waiting. */
  get signal(): AbortSignal {
    return this.#begun.signal;
  }

  trackRequest(reply: FastifyReply): void {
    this.#inFlight += 1;
    reply.raw.once('close', () => {
      this.#inFlight -= 1;
      this.#settle();
    });
  }

  /** Work that may go on when its caller is gone is in flight until it ends. `stop` is called when there is no more time. */
  trackWork(work: Promise<unknown>, stop: () => void): void {
    const ended = () => {
      this.#held.delete(work);
      this.#settle();
    };
    this.#held.set(work, stop);
    work.then(ended, ended);
  }

  /** Resolves when the last request in flight has ended. */
  begin(): Promise<void> {
    this.#begun.abort();
    this.#settle();
    return this.#empty.promise;
  }

  /** There is no more time: what is held is told to stop. Resolves when it has. */
  async abort(): Promise<void> {
    for (const stop of this.#held.values()) stop();
    await Promise.allSettled(this.#held.keys());
  }

  #settle(): void {
    if (this.signal.aborted && this.#inFlight === 0 && this.#held.size === 0) this.#empty.resolve();
  }
}
