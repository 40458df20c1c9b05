import { wakeDueDeliveries } from '../webhooks/wake-due-deliveries.ts';
import type { TaskContext } from './task.ts';

/** Wakes what is due to webhooks and was missed. Nothing changes by it: never another batch. */
export async function wakeDeliveries({ transaction, now, queue }: TaskContext): Promise<number> {
  await wakeDueDeliveries(transaction, queue, now);
  return 0;
}
