import { setImmediate as turn } from 'node:timers/promises';
import type { Clock, Wait } from '../../core/base/clock.ts';

interface Waiting {
  readonly until: number;
  readonly end: () => void;
}

/** A clock that stands still until a test moves it. */
export class MovableTime {
  #now = Date.now();
  readonly #waiting = new Set<Waiting>();

  readonly clock: Clock = { now: () => new Date(this.#now) };

  readonly wait: Wait = (ms, signal) =>
    new Promise((resolve, reject) => {
      const waiting: Waiting = { until: this.#now + ms, end: resolve };
      this.#waiting.add(waiting);
      const cancel = () => {
        this.#waiting.delete(waiting);
        reject(signal.reason);
      };
      if (signal.aborted) cancel();
      else signal.addEventListener('abort', cancel, { once: true });
    });

  /** Ends the waits of less than `ms` milliseconds, in order, with everything that follows from them. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    for (;;) {
      const [next] = [...this.#waiting].sort((one, other) => one.until - other.until);
      if (next === undefined || next.until > until) break;
      this.#waiting.delete(next);
      this.#now = next.until;
      next.end();
      await turn();
    }
    this.#now = until;
  }
}
