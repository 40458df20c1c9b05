import type { Kysely } from 'kysely';
import type { Clock } from '../../core/base/clock.ts';
import type { Logger } from '../../core/base/log.ts';
import type { JobQueue } from '../../core/queue/queue.ts';
import type { SecretBox } from '../../core/secrets/secret-box.ts';
import { openSecrets } from '../../core/secrets/secret-rotation.ts';
import type { Tables } from '../../core/storage/tables/tables.ts';
import {
  type ClaimedDelivery,
  claimDelivery,
  goneStatus,
  type SettledDelivery,
  settleDelivery,
} from '../../core/webhooks/deliveries.ts';
import { deliveryJobId } from '../../core/webhooks/event-transaction.ts';
import { signWebhook } from '../../core/webhooks/sign-webhook.ts';
import { type PostLimits, type PostOutcome, parseRetryAfter, postWebhook } from './post-webhook.ts';

export interface DeliveryDependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'debug' | 'warn'>;
  readonly queue: Pick<JobQueue, 'add'>;
  readonly secretBox: SecretBox;
  readonly limits: PostLimits;
}

/** Attempts a due delivery and stores the result. Returns null if there was nothing to do. */
export async function attemptDelivery(
  dependencies: DeliveryDependencies,
  deliveryId: string,
): Promise<SettledDelivery | null> {
  const { database, clock, log, queue } = dependencies;
  const delivery = await claimDelivery(database, deliveryId, clock.now());
  if (delivery === null) return null;
  const outcome = await send(dependencies, delivery);
  const now = clock.now();
  const plan = planSettlement(delivery, { outcome, now });
  const settled = await settleDelivery(database, delivery, { plan, outcome, now });
  const { status, error } = outcome;
  const fields = { delivery: delivery.id, webhook: delivery.webhook_id, status, error };
  log.debug({ ...fields, became: settled.became }, 'webhook called');
  if (settled.disabled !== null) log.warn({ ...fields, reason: settled.disabled }, 'webhook disabled');
  if (settled.nextAttemptAt !== null) {
    const delayMs = Math.max(0, settled.nextAttemptAt.getTime() - now.getTime());
    await queue.add('webhooks', deliveryJobId(delivery.id, delivery.attempts), { deliveryId }, { delayMs });
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
  return postWebhook({ url, headers, body }, limits);
}

interface Attempt {
  readonly outcome: PostOutcome;
  readonly now: Date;
}

function planSettlement(
  { attempts, queued_at: queuedAt }: ClaimedDelivery,
  { outcome, now }: Attempt,
): SettledDelivery {
  const end = { nextAttemptAt: null, disabled: null };
  if (outcome.error === null) return { became: 'delivered', ...end };
  if (outcome.status === goneStatus) return { became: 'failed', ...end };
  const wishMs = parseRetryAfter(outcome.retryAfter, now);
  const nextAttemptAt = planNextAttempt({ attempts, queuedAt, now, wishMs });
  return { became: nextAttemptAt === null ? 'failed' : 'pending', nextAttemptAt, disabled: null };
}

const [second, minute, hour] = [1_000, 60_000, 3_600_000];

/** Waits after the first attempt, the second, and so on. The last one repeats. */
const RETRY_WAITS_MS = [
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  8 * hour,
];

const RETRY_LIMIT_MS = 24 * hour;

/** Maximum wait that an endpoint can request, because a retry may succeed sooner. */
const MAX_REQUESTED_WAIT_MS = hour;

interface FailedAttempt {
  /** Number of the failed attempt, from 1. */
  readonly attempts: number;
  readonly queuedAt: Date;
  readonly now: Date;
  /** Wait that the endpoint requested. */
  readonly wishMs: number;
}

/** Returns the time of the next attempt, or null after a day of failures. Pure. */
export function planNextAttempt({ attempts, queuedAt, now, wishMs }: FailedAttempt): Date | null {
  const end = queuedAt.getTime() + RETRY_LIMIT_MS;
  if (now.getTime() >= end) return null;
  const wait = RETRY_WAITS_MS[attempts - 1] ?? RETRY_WAITS_MS.at(-1) ?? 0;
  const next = now.getTime() + Math.max(wait, Math.min(wishMs, MAX_REQUESTED_WAIT_MS));
  return new Date(Math.min(next, end));
}
