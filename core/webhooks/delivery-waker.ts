import type { Logger } from '../log.ts';
import type { JobQueue } from '../queue/queue.ts';
import { deliveryJob } from './delivery-job.ts';

/** Wakes workers for deliveries that were committed. Never fails: what is missed the housekeeping wakes. */
export type WakeDeliveries = (deliveryIds: readonly string[]) => void;

/** Nobody waits for the queue: an answer is not held up by it. */
export function deliveryWaker(queue: Pick<JobQueue, 'add'>, log: Logger): WakeDeliveries {
  return (deliveryIds) => {
    for (const deliveryId of deliveryIds) {
      queue.add('webhooks', deliveryJob(deliveryId, 0), { deliveryId }).catch((err: unknown) => {
        log.warn({ err, delivery: deliveryId }, 'a webhook could not be woken: it will be within a minute');
      });
    }
  };
}
