import { setTimeout as wait } from 'node:timers/promises';

/**
 * SQLSTATEs of a server that is out of reach, without room on its disk or for another session, a standby as yet, shutting
 * down or starting, or that gave a statement or a session up.
 */
const states = /^(?:08\w{3}|25006|25P03|53\w{3}|57014|57P0[1-5]|58030)$/;

/** Of the operating system. */
const systemCodes: readonly string[] = [
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
];

/** What the driver and its pool say without a code. */
const messages =
  /^(?:Connection terminated|timeout ex(?:ceeded|pired)|Query read timeout|Client (?:has encountered a connection error|was closed))/;

/** Whether a statement failed because the database was out of reach or out of order, and not for what it said. */
export function isDatabaseFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return states.test(code) || systemCodes.includes(code) || (code === '' && messages.test(error.message));
}

const firstPauseMs = 50;
const longestPauseMs = 1_000;

/**
 * Does again what the database was out of reach or out of order for, until it is not. What it does may have been done all
 * the same, so it has to be such that a second time changes nothing.
 * `signal`: aborted, nothing is tried again.
 */
export async function retryUntilDatabase<T>(act: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await act();
    } catch (error) {
      if (signal.aborted || !isDatabaseFault(error)) throw error;
      await wait(pauseMs, undefined, { signal });
    }
  }
}

/** Whether an error of the database is one that a function of ours raises under that SQLSTATE. */
export function raisesError(error: unknown, state: string): boolean {
  return error instanceof Error && 'code' in error && error.code === state;
}

/** Whether an error of the database says that a row like that is there already, by the index of that name. */
export function violatesConstraint(error: unknown, index: string): boolean {
  if (!(error instanceof Error) || !('code' in error) || error.code !== '23505') return false;
  return 'constraint' in error && error.constraint === index;
}
