import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '../storage/tables.ts';
import type { WakeDeliveries } from './delivery-waker.ts';

interface Stores {
  readonly database: Kysely<Tables>;
  readonly wakeDeliveries?: WakeDeliveries;
}

/** Runs `work` in a transaction and, once it is committed, wakes the deliveries that were kept in it. */
export async function tellingTransaction<Result>(
  { database, wakeDeliveries }: Stores,
  work: (transaction: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  const { result, told } = await database.transaction().execute(async (transaction) => ({
    result: await work(transaction),
    told: await toldDeliveries(transaction),
  }));
  wakeDeliveries?.(told);
  return result;
}

async function toldDeliveries(transaction: Transaction<Tables>): Promise<readonly string[]> {
  const { rows } = await sql<{ told: string[] }>`select told_deliveries() as told`.execute(transaction);
  return rows[0]?.told ?? [];
}
