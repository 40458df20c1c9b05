import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Logger } from '../../base/log.ts';
import { raisesError } from '../sql-errors.ts';
import type { Tables } from '../tables/tables.ts';
import { statementsIn } from './schema-files.ts';

/** SQLSTATEs. */
const lockNotAvailable = '55P03';
const deadlockDetected = '40P01';

/**
 * Less than PostgreSQL's `deadlock_timeout` of a second: this process gives way, and no transaction of another one is
 * cancelled. Requests of running processes wait behind a lock that is asked for, so the first tries are shorter.
 */
const MAX_LOCK_WAIT_MS = 500;
const FIRST_LOCK_WAIT_MS = 100;
/** Pauses between two tries grow to this, so that running processes have the tables for most of the time. */
const MAX_PAUSE_MS = 2_000;
const LOG_INTERVAL_MS = 15_000;
/** Longer than the minute after which a session that idles in a transaction loses it, and than many backups. */
const GIVE_UP_MS = 10 * 60_000;

interface LockAttempts {
  readonly log: Pick<Logger, 'warn'>;
  /** The step that waits, for the log. */
  readonly step: string;
}

/**
 * Runs `attempt` until no lock stands in its way. It gets the number of milliseconds for which it may wait for its locks,
 * and has to take them before it does any work. After ten minutes the error is thrown.
 */
export async function retryLocked<Result>(
  { log, step }: LockAttempts,
  attempt: (lockWaitMs: number) => Promise<Result>,
): Promise<Result> {
  const startedAt = performance.now();
  let loggedAt = startedAt;
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt(Math.min(FIRST_LOCK_WAIT_MS * tries, MAX_LOCK_WAIT_MS));
    } catch (error) {
      const isLocked = raisesError(error, lockNotAvailable) || raisesError(error, deadlockDetected);
      const now = performance.now();
      if (!isLocked || now - startedAt > GIVE_UP_MS) throw error;
      if (now - loggedAt > LOG_INTERVAL_MS) {
        loggedAt = now;
        log.warn({ step, tries }, 'migration waits for a table lock');
      }
    }
    await wait(Math.min(FIRST_LOCK_WAIT_MS * tries, MAX_PAUSE_MS) * (0.5 + Math.random()));
  }
}

/** Tables that many requests write. They are locked last, as requests do, in this order. */
const hotTables = ['lane', 'inbound_event', 'conversation', 'message', 'outbound_part', 'audit_entry'];

/**
 * Locks every table that the text names and that exists, before the text runs: if one cannot be had, nothing was done yet.
 * A table that is altered is locked against everything, any other one against writing.
 */
export async function lockTables(
  transaction: Transaction<Tables>,
  text: string,
  lockWaitMs: number,
): Promise<void> {
  const statements = statementsIn(text).join('\n');
  const altered = new Set(
    namesAfter(statements, /\b(?:alter table|drop table|drop trigger (?:if exists )?\w+ on) (\w+)/g),
  );
  const existing = await existingTables(transaction, [
    ...altered,
    ...namesAfter(statements, /\b(?:on|references|into|update) (\w+)/g),
  ]);
  const place = (table: string) => hotTables.indexOf(table);
  const ordered = existing.toSorted((one, other) => place(one) - place(other) || (one < other ? -1 : 1));
  await limitLockWait(transaction, Math.ceil(lockWaitMs / Math.max(1, ordered.length)));
  for (const table of ordered) {
    const mode = altered.has(table) ? 'access exclusive' : 'share row exclusive';
    await sql`lock table ${sql.table(table)} in ${sql.raw(mode)} mode`.execute(transaction);
  }
  await limitLockWait(transaction, lockWaitMs);
}

/** Limits how long each further statement of the transaction waits for a lock. */
export async function limitLockWait(transaction: Transaction<Tables>, ms: number): Promise<void> {
  await sql`set local lock_timeout to ${sql.lit(`${ms}ms`)}`.execute(transaction);
}

function namesAfter(text: string, pattern: RegExp): readonly string[] {
  return Array.from(text.matchAll(pattern), ([, name = '']) => name);
}

async function existingTables(
  database: Kysely<Tables>,
  names: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname::text as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname = any(${[...new Set(names)]}::text[])
  `.execute(database);
  return rows.map(({ name }) => name);
}
