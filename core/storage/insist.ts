import { setTimeout as wait } from 'node:timers/promises';
import { isDatabaseFault } from './is-database-fault.ts';

const firstPauseMs = 50;
const longestPauseMs = 1_000;

/**
 * Does again what the database was out of reach or out of order for, until it is not. What it does may have been done all
 * the same, so it has to be such that a second time changes nothing.
 * `signal`: aborted, nothing is tried again.
 */
export async function insist<T>(act: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await act();
    } catch (error) {
      if (signal.aborted || !isDatabaseFault(error)) throw error;
      await wait(pauseMs, undefined, { signal });
    }
  }
}
