import { type Kysely, sql, type Transaction } from 'kysely';
import type { Logger } from '../base/log.ts';
import type { JobQueue } from '../queue/queue.ts';
import type { Tables } from '../storage/tables/tables.ts';

interface Stores {
  readonly database: Kysely<Tables>;
  readonly scheduleDeliveries?: ScheduleDeliveries;
}

/**
 * Runs `work` in a transaction and, after the commit, wakes workers for the webhook deliveries that it queued.
 */
export async function eventTransaction<Result>(
  { database, scheduleDeliveries }: Stores,
  work: (transaction: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  const { result, queued } = await database.transaction().execute(async (transaction) => ({
    result: await work(transaction),
    queued: await findQueuedDeliveries(transaction),
  }));
  scheduleDeliveries?.(queued);
  return result;
}

/** Returns the ids of the deliveries queued so far in the transaction. */
export async function findQueuedDeliveries(transaction: Transaction<Tables>): Promise<readonly string[]> {
  const { rows } = await sql<{ told: string[] }>`select told_deliveries() as told`.execute(transaction);
  return rows[0]?.told ?? [];
}

/** Wakes workers for committed deliveries. Never throws: maintenance queues missed ones. */
export type ScheduleDeliveries = (deliveryIds: readonly string[]) => void;

/** The queue is not awaited, so it does not delay an answer. */
export function createDeliveryScheduler(queue: Pick<JobQueue, 'add'>, log: Logger): ScheduleDeliveries {
  return (deliveryIds) => {
    for (const deliveryId of deliveryIds) {
      queue.add('webhooks', deliveryJobId(deliveryId, 0), { deliveryId }).catch((err: unknown) => {
        log.warn({ err, delivery: deliveryId }, 'waking a webhook delivery failed');
      });
    }
  };
}

/** Returns the id of the job for a delivery's next attempt, so that each attempt is queued once. */
export function deliveryJobId(deliveryId: string, attempts: number): string {
  return `${deliveryId}-${attempts}`;
}
