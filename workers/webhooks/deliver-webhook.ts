import { type Kysely, sql, type Transaction } from 'kysely';
import type { Clock } from '../../core/base/clock.ts';
import type { Logger } from '../../core/base/log.ts';
import type { JobQueue } from '../../core/queue/queue.ts';
import type { SecretBox } from '../../core/secrets/secret-box.ts';
import { openSecrets } from '../../core/secrets/secret-rotation.ts';
import type { Tables } from '../../core/storage/tables/tables.ts';
import { deliveryJobId } from '../../core/webhooks/event-transaction.ts';
import { signWebhook } from '../../core/webhooks/sign-webhook.ts';
import { disableWebhook } from '../../core/webhooks/webhooks.ts';
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
  const settled = await settleDelivery(database, delivery, { outcome, now });
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

/** A delivery that only this process attempts now. */
interface ClaimedDelivery {
  readonly id: string;
  readonly workspace_id: string;
  readonly webhook_id: string;
  readonly event: string;
  readonly data: unknown;
  /** Includes this attempt. */
  readonly attempts: number;
  readonly created_at: Date;
  readonly queued_at: Date;
  readonly url: string;
  readonly secret_encrypted: string;
  readonly previous_secret_encrypted: string | null;
  readonly previous_secret_until: Date | null;
}

/** Longer than any attempt takes. After that, the attempt was lost together with its process. */
const leaseMs = 20_000;

/** Null if the delivery is finished, already being attempted, or its webhook is disabled. */
async function claimDelivery(
  database: Kysely<Tables>,
  id: string,
  now: Date,
): Promise<ClaimedDelivery | null> {
  const { rows } = await sql<ClaimedDelivery>`
    update webhook_delivery as delivery
    set attempts = delivery.attempts + 1, next_attempt_at = ${new Date(now.getTime() + leaseMs)}::timestamptz
    from webhook
    join workspace on workspace.id = webhook.workspace_id and workspace.deleted_at is null
    where delivery.id = ${id} and delivery.status = 'pending'
      and (delivery.next_attempt_at is null or delivery.next_attempt_at <= ${now}::timestamptz)
      and webhook.id = delivery.webhook_id and webhook.workspace_id = delivery.workspace_id
      and webhook.disabled_at is null
    returning delivery.id, delivery.workspace_id, delivery.webhook_id, delivery.event, delivery.data,
              delivery.attempts, delivery.created_at, delivery.queued_at, webhook.url, webhook.secret_encrypted,
              webhook.previous_secret_encrypted, webhook.previous_secret_until
  `.execute(database);
  return rows[0] ?? null;
}

interface Attempt {
  readonly outcome: PostOutcome;
  readonly now: Date;
}

interface SettledDelivery {
  readonly became: 'pending' | 'delivered' | 'failed';
  readonly nextAttemptAt: Date | null;
  /** Reason if this result disabled the webhook. */
  readonly disabled: string | null;
}

const goneStatus = 410;

/** Stores the result of an attempt. Has no effect if another process has taken the delivery over meanwhile. */
async function settleDelivery(
  database: Kysely<Tables>,
  delivery: ClaimedDelivery,
  attempt: Attempt,
): Promise<SettledDelivery> {
  const settled = planSettlement(delivery, attempt);
  const { outcome, now } = attempt;
  return database.transaction().execute(async (transaction) => {
    await transaction
      .updateTable('webhook_delivery')
      .set({
        status: settled.became,
        next_attempt_at: settled.nextAttemptAt,
        last_status: outcome.status,
        last_error: outcome.error,
        delivered_at: settled.became === 'delivered' ? now : null,
      })
      .where('id', '=', delivery.id)
      .where('workspace_id', '=', delivery.workspace_id)
      .where('status', '=', 'pending')
      .where('attempts', '=', delivery.attempts)
      .execute();
    if (settled.became !== 'failed') return settled;
    const reason = await reasonToDisable(transaction, delivery, outcome);
    if (reason === null) return settled;
    const { workspace_id: workspaceId, webhook_id: id } = delivery;
    const disabled = await disableWebhook(transaction, { workspaceId, id }, { reason, at: now });
    return { ...settled, disabled: disabled ? reason : null };
  });
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

/** Null if the endpoint rejects this message but accepts others. */
async function reasonToDisable(
  transaction: Transaction<Tables>,
  delivery: ClaimedDelivery,
  { status, error }: PostOutcome,
): Promise<string | null> {
  if (status === goneStatus) return 'The endpoint returned status 410 (Gone).';
  const delivered = await transaction
    .selectFrom('webhook_delivery')
    .select('id')
    .where('webhook_id', '=', delivery.webhook_id)
    .where('workspace_id', '=', delivery.workspace_id)
    .where('delivered_at', '>=', delivery.queued_at)
    .limit(1)
    .executeTakeFirst();
  return delivered === undefined ? `No delivery succeeded for a day. ${error}` : null;
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
