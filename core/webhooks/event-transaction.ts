import { type Kysely, sql, type Transaction } from 'kysely';
import type { Logger } from '../log.ts';
import type { JobQueue } from '../queue/queue.ts';
import type { Tables } from '../storage/tables/tables.ts';

interface Stores {
  readonly database: Kysely<Tables>;
  readonly wakeDeliveries?: ScheduleDeliveries;
}

/** Runs `work` in a transaction and, once it is committed, wakes the deliveries that were kept in it. */
export async function eventTransaction<Result>(
  { database, wakeDeliveries }: Stores,
  work: (transaction: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  const { result, told } = await database.transaction().execute(async (transaction) => ({
    result: await work(transaction),
    told: await findQueuedDeliveries(transaction),
  }));
  wakeDeliveries?.(told);
  return result;
}

/** The deliveries that a transaction has kept so far. */
export async function findQueuedDeliveries(transaction: Transaction<Tables>): Promise<readonly string[]> {
  const { rows } = await sql<{ told: string[] }>`select told_deliveries() as told`.execute(transaction);
  return rows[0]?.told ?? [];
}

/** Wakes workers for deliveries that were committed. Never fails: what is missed the housekeeping wakes. */
export type ScheduleDeliveries = (deliveryIds: readonly string[]) => void;

/** Nobody waits for the queue: an answer is not held up by it. */
export function createDeliveryScheduler(queue: Pick<JobQueue, 'add'>, log: Logger): ScheduleDeliveries {
  return (deliveryIds) => {
    for (const deliveryId of deliveryIds) {
      queue.add('webhooks', deliveryJobId(deliveryId, 0), { deliveryId }).catch((err: unknown) => {
        log.warn({ err, delivery: deliveryId }, 'a webhook could not be woken: it will be within a minute');
      });
    }
  };
}

/** The id of the job that tries a delivery after so many tries: one for each, however often it is woken. */
export function deliveryJobId(deliveryId: string, attempts: number): string {
  return `${deliveryId}-${attempts}`;
}
