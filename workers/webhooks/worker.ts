import { type Kysely, sql } from 'kysely';
import type { Logger } from '../../core/log.ts';
import { OwnerCounts } from '../../core/queue/fair-queue.ts';
import type { JobQueue } from '../../core/queue/queue.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { Tables } from '../../core/storage/tables/tables.ts';
import { deliveryJobId } from '../../core/webhooks/event-transaction.ts';
import { attemptDelivery } from './deliver-webhook.ts';

/** Deliveries that are made at once. */
const concurrency = 64;

const timeoutMs = 10_000;

/**
 * Delivers to webhooks until the returned function is called. Begins with what an earlier process left undone: the
 * rows say what there is to do, whatever became of their jobs.
 */
export async function runWebhookWorker(runtime: Runtime): Promise<() => Promise<void>> {
  const { config, database, queue, clock, installation } = runtime;
  const dependencies = {
    ...runtime,
    database: database.kysely,
    secretBox: installation.secretBox,
    limits: { timeoutMs, allowPrivate: config.ALLOW_PRIVATE_WEBHOOKS },
  };
  const receivers = new EndpointQueue({
    deliver: (deliveryId) => attemptDelivery(dependencies, deliveryId),
    log: runtime.log,
  });
  const stop = await queue.work('webhooks', {
    concurrency,
    async run({ deliveryId }) {
      const receiver = await findEndpoint(database.kysely, deliveryId);
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

/** The webhook that a delivery is for; null where there is nothing to deliver any more. */
async function findEndpoint(database: Kysely<Tables>, deliveryId: string): Promise<string | null> {
  const row = await database
    .selectFrom('webhook_delivery')
    .select('webhook_id')
    .where('id', '=', deliveryId)
    .where('status', '=', 'pending')
    .executeTakeFirst();
  return row?.webhook_id ?? null;
}

type Deliver = (deliveryId: string) => Promise<unknown>;

interface Options {
  readonly deliver: Deliver;
  readonly log: Pick<Logger, 'error'>;
}

/** Of one receiver so many are waited for at once. */
const maxPerEndpoint = 4;
/** What comes beyond that the housekeeping wakes again. */
const maxWaiting = 1_000;

/** Has deliveries made, few of each receiver at a time: one that does not answer holds up no others. */
class EndpointQueue {
  readonly #options: Options;
  readonly #running = new OwnerCounts();
  readonly #waiting = new Map<string, string[]>();
  #closed = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Rejects as the delivery does. Where its receiver has enough to answer it is made after those, and not waited for. */
  async deliver(receiver: string, deliveryId: string): Promise<void> {
    if (this.#running.count(receiver) >= maxPerEndpoint) {
      this.#leave(receiver, deliveryId);
      return;
    }
    this.#running.add(receiver, 1);
    try {
      await this.#options.deliver(deliveryId);
    } finally {
      await this.#deliverWaiting(receiver);
      this.#running.add(receiver, -1);
    }
  }

  /** Begins nothing more: what waits is another's. */
  close(): void {
    this.#closed = true;
    this.#waiting.clear();
  }

  #leave(receiver: string, deliveryId: string): void {
    const waiting = this.#waiting.get(receiver) ?? [];
    if (this.#closed || waiting.length >= maxWaiting || waiting.includes(deliveryId)) return;
    waiting.push(deliveryId);
    this.#waiting.set(receiver, waiting);
  }

  async #deliverWaiting(receiver: string): Promise<void> {
    const { deliver, log } = this.#options;
    for (;;) {
      const next = this.#waiting.get(receiver)?.shift();
      if (next === undefined) break;
      await deliver(next).catch((err: unknown) => {
        log.error({ err, delivery: next }, 'a webhook could not be tried: it will be within a minute');
      });
    }
    this.#waiting.delete(receiver);
  }
}

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
    await queue.add('webhooks', deliveryJobId(id, attempts), { deliveryId: id });
  }
}
