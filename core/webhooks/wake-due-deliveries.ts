import { type Kysely, sql } from 'kysely';
import type { JobQueue } from '../queue/queue.ts';
import type { Tables } from '../storage/tables.ts';
import { deliveryJob } from './delivery-job.ts';

/** So many at once: what is still due a minute later comes then. */
const most = 500;

/** Wakes what is due, over all workspaces, whatever became of the jobs that were to try it. */
export async function wakeDueDeliveries(
  database: Kysely<Tables>,
  queue: Pick<JobQueue, 'add'>,
  now: Date,
): Promise<void> {
  const { rows } = await sql<{ id: string; attempts: number }>`
    select webhook_delivery.id, webhook_delivery.attempts from webhook_delivery
    join webhook on webhook.id = webhook_delivery.webhook_id and webhook.disabled_at is null
    where webhook_delivery.status = 'pending'
      and (webhook_delivery.next_attempt_at is null or webhook_delivery.next_attempt_at <= ${now}::timestamptz)
    order by webhook_delivery.next_attempt_at nulls first
    limit ${most}
  `.execute(database);
  for (const { id, attempts } of rows) {
    await queue.add('webhooks', deliveryJob(id, attempts), { deliveryId: id });
  }
}
