import type { Runtime } from '../runtime.ts';
import { receiverOf } from './receiver-of.ts';
import { Receivers } from './receivers.ts';
import { tryDelivery } from './try-delivery.ts';
import { wakeDueDeliveries } from './wake-due-deliveries.ts';

/** Deliveries that are made at once. */
const concurrency = 64;

const timeoutMs = 10_000;

/**
 * Delivers to webhooks until the returned function is called. Begins with what an earlier process left undone: the
 * rows say what there is to do, whatever became of their jobs.
 */
export async function runWebhooks(runtime: Runtime): Promise<() => Promise<void>> {
  const { config, database, queue, clock, installation } = runtime;
  const dependencies = {
    ...runtime,
    database: database.kysely,
    secretBox: installation.secretBox,
    limits: { timeoutMs, allowPrivate: config.ALLOW_PRIVATE_WEBHOOKS },
  };
  const receivers = new Receivers({
    deliver: (deliveryId) => tryDelivery(dependencies, deliveryId),
    log: runtime.log,
  });
  const stop = await queue.work('webhooks', {
    concurrency,
    async run({ deliveryId }) {
      const receiver = await receiverOf(database.kysely, deliveryId);
      if (receiver !== null) await receivers.deliver(receiver, deliveryId);
    },
    // Its row is as it was: the housekeeping wakes it again.
    givenUp: async () => {},
  });
  await wakeDueDeliveries(database.kysely, queue, clock.now());
  return async () => {
    receivers.close();
    await stop();
  };
}
