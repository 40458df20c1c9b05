import type { Kysely } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Logger } from '../log.ts';
import type { JobQueue } from '../queue/queue.ts';
import type { Tables } from '../storage/tables.ts';
import type { SecretBox } from '../workspaces/secret-box.ts';
import { openSecrets } from '../workspaces/secret-rotation.ts';
import { type ClaimedDelivery, claimDelivery } from './claim-delivery.ts';
import { deliveryJob } from './delivery-job.ts';
import { type PostLimits, postMessage } from './post-message.ts';
import { type SettledDelivery, settleDelivery } from './settle-delivery.ts';
import { signWebhook } from './sign-webhook.ts';

export interface DeliveryDependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'debug' | 'warn'>;
  readonly queue: Pick<JobQueue, 'add'>;
  readonly secretBox: SecretBox;
  readonly limits: PostLimits;
}

/** Sends a delivery that is due, and writes down what became of it; null when there was nothing to do. */
export async function tryDelivery(
  dependencies: DeliveryDependencies,
  deliveryId: string,
): Promise<SettledDelivery | null> {
  const { database, clock, log, queue } = dependencies;
  const delivery = await claimDelivery(database, deliveryId, clock.now());
  if (delivery === null) return null;
  const outcome = await send(dependencies, delivery);
  const now = clock.now();
  const settled = await settleDelivery(database, delivery, { outcome, now });
  const { status, error } = outcome;
  const told = { delivery: delivery.id, webhook: delivery.webhook_id, status, error };
  log.debug({ ...told, became: settled.became }, 'a webhook was called');
  if (settled.disabled !== null) log.warn({ ...told, reason: settled.disabled }, 'a webhook was disabled');
  if (settled.nextAttemptAt !== null) {
    const delayMs = Math.max(0, settled.nextAttemptAt.getTime() - now.getTime());
    await queue.add('webhooks', deliveryJob(delivery.id, delivery.attempts), { deliveryId }, { delayMs });
  }
  return settled;
}

function send({ secretBox, clock, limits }: DeliveryDependencies, delivery: ClaimedDelivery) {
  const { id, event, created_at, data, url } = delivery;
  const body = JSON.stringify({ type: event, timestamp: created_at.toISOString(), data });
  const at = clock.now();
  const secrets = openSecrets(
    secretBox,
    { table: 'webhook', column: 'secret_encrypted', id: delivery.webhook_id },
    {
      current: delivery.secret_encrypted,
      previous: delivery.previous_secret_encrypted,
      previousUntil: delivery.previous_secret_until,
      now: at,
    },
  );
  const headers = signWebhook(secrets, { id, at, body });
  return postMessage({ url, headers, body }, limits);
}
