import type { Kysely } from 'kysely';
import type { Logger } from '../../core/base/log.ts';
import { OwnerCounts } from '../../core/queue/fair-queue.ts';
import type { JobQueue } from '../../core/queue/queue.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import type { Tables } from '../../core/storage/tables/tables.ts';
import { findEndpoint, listDueDeliveries } from '../../core/webhooks/deliveries.ts';
import { deliveryJobId } from '../../core/webhooks/event-transaction.ts';
import { attemptDelivery } from './deliver-webhook.ts';

/** Maximum number of concurrent deliveries. */
const concurrency = 64;

const timeoutMs = 10_000;

/**
 * Starts the worker that delivers webhooks. The returned function stops it. On start it queues due deliveries
 * that an earlier process left: the rows decide what is to be done, whatever happened to their jobs.
 */
export async function runWebhookWorker(runtime: Runtime): Promise<() => Promise<void>> {
  const { config, database, queue, clock, installation } = runtime;
  const dependencies = {
    ...runtime,
    database: database.kysely,
    secretBox: installation.secretBox,
    limits: { timeoutMs, allowPrivate: config.ALLOW_PRIVATE_WEBHOOKS },
  };
  const endpoints = new EndpointQueue({
    deliver: (deliveryId) => attemptDelivery(dependencies, deliveryId),
    log: runtime.log,
  });
  const stop = await queue.work('webhooks', {
    concurrency,
    async run({ deliveryId }) {
      const endpoint = await findEndpoint(database.kysely, deliveryId);
      if (endpoint !== null) await endpoints.deliver(endpoint, deliveryId);
    },
    // Nothing to record: maintenance queues the delivery again.
    givenUp: async () => {},
  });
  await wakeDueDeliveries(database.kysely, queue, clock.now());
  return async () => {
    endpoints.close();
    await stop();
  };
}

type Deliver = (deliveryId: string) => Promise<unknown>;

interface Options {
  readonly deliver: Deliver;
  readonly log: Pick<Logger, 'error'>;
}

/** Maximum number of concurrent deliveries to one endpoint. */
const maxPerEndpoint = 4;
/** Limit of waiting deliveries per endpoint. Maintenance queues the rest again. */
const maxWaiting = 1_000;

/** Limits concurrent deliveries per endpoint, so that a slow endpoint does not delay others. */
class EndpointQueue {
  readonly #options: Options;
  readonly #running = new OwnerCounts();
  readonly #waiting = new Map<string, string[]>();
  #closed = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /**
   * Rejects if the delivery does. If the endpoint is at its limit, the delivery waits in the queue and the
   * promise resolves at once.
   */
  async deliver(endpoint: string, deliveryId: string): Promise<void> {
    if (this.#running.count(endpoint) >= maxPerEndpoint) {
      this.#enqueue(endpoint, deliveryId);
      return;
    }
    this.#running.add(endpoint, 1);
    try {
      await this.#options.deliver(deliveryId);
    } finally {
      await this.#deliverWaiting(endpoint);
      this.#running.add(endpoint, -1);
    }
  }

  /** Starts no more deliveries. Waiting ones are left to other processes. */
  close(): void {
    this.#closed = true;
    this.#waiting.clear();
  }

  #enqueue(endpoint: string, deliveryId: string): void {
    const waiting = this.#waiting.get(endpoint) ?? [];
    if (this.#closed || waiting.length >= maxWaiting || waiting.includes(deliveryId)) return;
    waiting.push(deliveryId);
    this.#waiting.set(endpoint, waiting);
  }

  async #deliverWaiting(endpoint: string): Promise<void> {
    const { deliver, log } = this.#options;
    for (;;) {
      const next = this.#waiting.get(endpoint)?.shift();
      if (next === undefined) break;
      await deliver(next).catch((err: unknown) => {
        log.error({ err, delivery: next }, 'attempting a webhook delivery failed');
      });
    }
    this.#waiting.delete(endpoint);
  }
}

/** Maximum per round. The rest follows a minute later. */
const MAX_DELIVERIES = 500;

/** Queues the due deliveries of all workspaces, whatever happened to their jobs. */
export async function wakeDueDeliveries(
  database: Kysely<Tables>,
  queue: Pick<JobQueue, 'add'>,
  now: Date,
): Promise<void> {
  for (const { id, attempts } of await listDueDeliveries(database, now, MAX_DELIVERIES)) {
    await queue.add('webhooks', deliveryJobId(id, attempts), { deliveryId: id });
  }
}
