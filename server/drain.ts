import type { FastifyReply } from 'fastify';

/** Counts the requests in flight and rejects new ones once draining has started. */
export class Drain {
  readonly #started = new AbortController();
  readonly #empty = Promise.withResolvers<void>();
  readonly #work = new Map<Promise<unknown>, () => void>();
  #inFlight = 0;

  /** Aborted when draining starts, so that idle waits end. */
  get signal(): AbortSignal {
    return this.#started.signal;
  }

  trackRequest(reply: FastifyReply): void {
    this.#inFlight += 1;
    reply.raw.once('close', () => {
      this.#inFlight -= 1;
      this.#settle();
    });
  }

  /**
   * Tracks work that can continue after its client has disconnected. `stop` is called when the shutdown time
   * is over.
   */
  trackWork(work: Promise<unknown>, stop: () => void): void {
    const ended = () => {
      this.#work.delete(work);
      this.#settle();
    };
    this.#work.set(work, stop);
    work.then(ended, ended);
  }

  /** Starts draining. Resolves when the last request in flight has ended. */
  begin(): Promise<void> {
    this.#started.abort();
    this.#settle();
    return this.#empty.promise;
  }

  /** Stops the tracked work because the shutdown time is over. Resolves when it has ended. */
  async abort(): Promise<void> {
    for (const stop of this.#work.values()) stop();
    await Promise.allSettled(this.#work.keys());
  }

  #settle(): void {
    if (this.signal.aborted && this.#inFlight === 0 && this.#work.size === 0) this.#empty.resolve();
  }
}
