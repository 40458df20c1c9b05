import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Tables } from './tables/tables.ts';

/**
 * SQLSTATEs of a server that is unreachable, out of disk space or connections, a standby, shutting down or
 * starting, or that cancelled a statement or session.
 */
const states = /^(?:08\w{3}|25006|25P03|53\w{3}|57014|57P0[1-5]|58030)$/;

/** Error codes of the operating system. */
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

/** Errors of the driver and its pool that have no code. */
const messages =
  /^(?:Connection terminated|timeout ex(?:ceeded|pired)|Query read timeout|Client (?:has encountered a connection error|was closed))/;

/**
 * Returns true if a statement failed because the database was unreachable or faulty, not because of the
 * statement.
 */
export function isDatabaseFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return states.test(code) || systemCodes.includes(code) || (code === '' && messages.test(error.message));
}

const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 1_000;

/**
 * Retries `act` after database faults until it succeeds. It may already have been executed before a fault, so
 * it must be idempotent. It stops retrying if `signal` is aborted.
 */
export async function retryUntilDatabase<T>(operation: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    try {
      return await operation();
    } catch (error) {
      if (signal.aborted || !isDatabaseFault(error)) throw error;
      await wait(pauseMs, undefined, { signal });
    }
  }
}

/** Returns true if the error was raised by an SQL function of the product with this SQLSTATE. */
export function raisesError(error: unknown, state: string): boolean {
  return error instanceof Error && 'code' in error && error.code === state;
}

/** Returns true if the error is a violation of this unique index. */
export function violatesConstraint(error: unknown, index: string): boolean {
  if (!(error instanceof Error) || !('code' in error) || error.code !== '23505') return false;
  return 'constraint' in error && error.constraint === index;
}

/** Rejects while the database does not answer. */
export async function pingDatabase(database: Kysely<Tables>): Promise<void> {
  await sql`select 1`.execute(database);
}

/**
 * Returns the column of a new row that names a row which was deleted meanwhile. Null for other errors. The foreign keys have
 * the names that PostgreSQL gives them.
 */
export function findLostReference(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || error.code !== '23503') return null;
  if (!('table' in error && 'constraint' in error) || typeof error.constraint !== 'string') return null;
  const [table, suffix] = [`${error.table}_`, '_fkey'];
  if (!error.constraint.startsWith(table) || !error.constraint.endsWith(suffix)) return null;
  return error.constraint.slice(table.length, -suffix.length);
}
