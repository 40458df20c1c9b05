import { setTimeout as wait } from 'node:timers/promises';
import { isConnectionFault } from './is-connection-fault.ts';

interface Patience {
  /** Aborted, nothing is tried again. */
  readonly signal: AbortSignal;
  readonly forMs: number;
}

const firstPauseMs = 50;
const longestPauseMs = 1_000;

/**
 * Does again what the database could not be reached for, until it can, for so long. What it does may have been done all
 * the same, so it has to be such that a second time changes nothing.
 */
export async function insist<T>(act: () => Promise<T>, { signal, forMs }: Patience): Promise<T> {
  const until = performance.now() + forMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await act();
    } catch (error) {
      if (signal.aborted || !isConnectionFault(error) || performance.now() + pauseMs > until) throw error;
      await wait(pauseMs, undefined, { signal });
    }
  }
}
