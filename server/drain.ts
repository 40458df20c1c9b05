import type { FastifyReply } from 'fastify';

/** Knows which requests are in flight, and whether new ones are still taken. */
export class Drain {
  readonly #begun = new AbortController();
  readonly #empty = Promise.withResolvers<void>();
  #inFlight = 0;

  /** Aborted when draining begins: what merely waits should stop waiting. */
  get signal(): AbortSignal {
    return this.#begun.signal;
  }

  track(reply: FastifyReply): void {
    this.#inFlight += 1;
    reply.raw.once('close', () => {
      this.#inFlight -= 1;
      this.#settle();
    });
  }

  /** Resolves when the last request in flight has ended. */
  begin(): Promise<void> {
    this.#begun.abort();
    this.#settle();
    return this.#empty.promise;
  }

  #settle(): void {
    if (this.signal.aborted && this.#inFlight === 0) this.#empty.resolve();
  }
}
