import { sql } from 'kysely';
import { SecretBox } from '../../../core/secrets/secret-box.ts';
import { type NewWebhook, Webhooks } from '../../../core/webhooks/webhooks.ts';
import { attemptDelivery, type DeliveryDependencies } from '../../../workers/webhooks/deliver-webhook.ts';
import type { PostLimits } from '../../../workers/webhooks/post-webhook.ts';
import { openTestInbox } from './inbox/open-test-inbox.ts';

interface Job {
  readonly deliveryId: string;
  readonly delayMs: number;
}

/** Webhooks of a workspace with conversations; `jobs` collects the jobs that would wake a worker. */
export async function openTestWebhooks(engine: 'embedded' | 'postgres') {
  const inbox = await openTestInbox(engine);
  const { database, clock, workspace } = inbox;
  const secretBox = new SecretBox(Buffer.alloc(32));
  const jobs: Job[] = [];
  const logged: object[] = [];
  const webhooks = new Webhooks({ database: database.kysely, clock, secretBox });
  const dependencies: Omit<DeliveryDependencies, 'limits'> = {
    database: database.kysely,
    clock,
    secretBox,
    log: { debug: () => {}, warn: (told: object) => void logged.push(told) },
    queue: {
      async add(_name, _id, payload, { delayMs = 0 } = {}) {
        if ('deliveryId' in payload) jobs.push({ deliveryId: payload.deliveryId, delayMs });
      },
    },
  };
  return {
    ...inbox,
    webhooks,
    jobs,
    logged,
    addHook: (url: string, events: NewWebhook['events'], workspaceId = workspace.id) =>
      webhooks.create(workspaceId, { url, events }),
    /** Returns the queued deliveries of a webhook, in the order in which they were stored. */
    async kept(webhookId: string) {
      const { rows } = await sql<{ id: string; event: string; data: Record<string, unknown> }>`
        select id, event, data from webhook_delivery where webhook_id = ${webhookId} order by id
      `.execute(database.kysely);
      return rows;
    },
    attempt: (deliveryId: string, limits: Partial<PostLimits> = {}) =>
      attemptDelivery(
        { ...dependencies, limits: { timeoutMs: 10_000, allowPrivate: true, ...limits } },
        deliveryId,
      ),
  };
}
