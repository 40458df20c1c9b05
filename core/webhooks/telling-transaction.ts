import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '../storage/tables.ts';
import type { WakeDeliveries } from './delivery-waker.ts';
import { toldDeliveries } from './told-deliveries.ts';

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
