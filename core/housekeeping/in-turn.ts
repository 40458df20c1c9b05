import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '../storage/tables.ts';

/** Any number that no other lock of the product has. */
const lockNumber = 7_273_950;

/** Runs `work` in a transaction, unless another process is at such work: null then. */
export function inTurn<Result>(
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
