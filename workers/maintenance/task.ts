import type { Transaction } from 'kysely';
import type { Tables } from '../../core/storage/tables/tables.ts';

/**
 * What a task works with. The transaction is the only one of its kind at the time, over all processes. Not the queue:
 * the embedded database has one transaction at a time, and a queue in it would wait for this one for ever.
 */
export interface TaskContext {
  readonly transaction: Transaction<Tables>;
  readonly now: Date;
}

/** Tidies a batch of at most `batchRows`, and returns how many it tidied: as many as that, and there may be more. */
export type Task = (context: TaskContext) => Promise<number>;

/** So few that nobody waits long for a row. */
export const batchRows = 200;
