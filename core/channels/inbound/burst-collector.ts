import type { Clock, Wait } from '../../base/clock.ts';

/**
 * Messages of a visitor that follow the first one within this time are answered in its turn: people, and apps that split
 * a text, send several at once.
 */
const COLLECT_MS = 60;
/**
 * Turns that may wait, in a row and a second. A process that begins more answers the rest at once: the waiting ones would
 * fill its slots, and ten conversations at a time would get at most 150 answers a second instead of some 370.
 */
const MOST_A_SECOND = 30;

interface Dependencies {
  readonly clock: Clock;
  readonly wait: Wait;
}

/** Gives a visitor who sends several messages at once the time to do so, before an idle worker answers the first one. */
export class BurstCollector {
  readonly #dependencies: Dependencies;
  #left = MOST_A_SECOND;
  #refilledAt: number;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.#refilledAt = dependencies.clock.now().getTime();
  }

  /**
   * Waits until a message that arrived at `since` is old enough. Returns `waited` or, without waiting, `old` if it is
   * already, and `busy` if too many turns wait. Rejects if the signal is aborted.
   */
  async collect(since: Date, signal: AbortSignal): Promise<'waited' | 'old' | 'busy'> {
    const now = this.#dependencies.clock.now().getTime();
    const restMs = Math.min(since.getTime() + COLLECT_MS - now, COLLECT_MS);
    if (restMs <= 0) return 'old';
    if (!this.#take(now)) return 'busy';
    await this.#dependencies.wait(restMs, signal);
    return 'waited';
  }

  #take(now: number): boolean {
    const passedMs = Math.max(now - this.#refilledAt, 0);
    this.#left = Math.min(this.#left + (passedMs / 1_000) * MOST_A_SECOND, MOST_A_SECOND);
    this.#refilledAt = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
