import type { Transaction } from 'kysely';
import type { Tables } from '../../core/storage/tables/tables.ts';

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
