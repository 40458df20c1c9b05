import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from './tables/tables.ts';

/**
 * The context of a task. Across all processes only one such transaction is open at a time. It has no queue: the
 * embedded database runs one transaction at a time, so a queue call inside it would deadlock.
 */
export interface TaskContext {
  readonly transaction: Transaction<Tables>;
  readonly now: Date;
}

/**
 * Cleans up a batch of at most `batchRows` rows and returns their number. A full batch means that there may be
 * more.
 */
export type Task = (context: TaskContext) => Promise<number>;

/** Small, so that other transactions do not wait long for a locked row. */
export const batchRows = 200;

/** Any number that no other advisory lock of the product uses. */
const lockNumber = 7_273_950;

/** Runs `work` in a transaction under an advisory lock. Returns null if another process holds the lock. */
export function withAdvisoryLock<Result>(
  database: Kysely<Tables>,
  work: (transaction: Transaction<Tables>) => Promise<Result>,
): Promise<Result | null> {
  return database.transaction().execute(async (transaction) => {
    const { rows } = await sql<{
      mine: boolean;
    }>`select pg_try_advisory_xact_lock(${lockNumber}) as mine`.execute(transaction);
    return rows[0]?.mine === true ? work(transaction) : null;
  });
}
