import { type Kysely, sql, type Transaction } from 'kysely';
import { batchRows, type TaskContext } from '../storage/maintenance-task.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { disableWebhook } from './webhooks.ts';

const DELIVERY_RETENTION_DAYS = 7;

/** Deletes webhook deliveries that succeeded or were given up at least a week ago. */
export async function purgeDeliveries({ transaction, now }: TaskContext): Promise<number> {
  const before = new Date(now.getTime() - DELIVERY_RETENTION_DAYS * 24 * 3_600_000);
  const { numAffectedRows } = await sql`
    delete from webhook_delivery where id in (
      select id from webhook_delivery
      where status <> 'pending' and queued_at < ${before}
      limit ${batchRows}
      for update skip locked
    )
  `.execute(transaction);
  return Number(numAffectedRows ?? 0n);
}

/** A delivery that only this process attempts now. */
export interface ClaimedDelivery {
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
export async function claimDelivery(
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

export interface SettledDelivery {
  readonly became: 'pending' | 'delivered' | 'failed';
  readonly nextAttemptAt: Date | null;
  /** Reason if this result disabled the webhook. */
  readonly disabled: string | null;
}

/** The result of one attempt. */
export interface DeliveryOutcome {
  /** Status code of the response. Null if there was no response. */
  readonly status: number | null;
  /** Null if the endpoint accepted the message. */
  readonly error: string | null;
}

interface Settlement {
  readonly plan: SettledDelivery;
  readonly outcome: DeliveryOutcome;
  readonly now: Date;
}

export const goneStatus = 410;

/** Stores the result of an attempt. It has no effect if another process has taken the delivery over meanwhile. */
export async function settleDelivery(
  database: Kysely<Tables>,
  delivery: ClaimedDelivery,
  { plan: settled, outcome, now }: Settlement,
): Promise<SettledDelivery> {
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

/** Null if the endpoint rejects this message but accepts others. */
async function reasonToDisable(
  transaction: Transaction<Tables>,
  delivery: ClaimedDelivery,
  { status, error }: DeliveryOutcome,
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

/** Returns the id of a pending delivery's webhook, or null if there is nothing to deliver. */
export async function findEndpoint(database: Kysely<Tables>, deliveryId: string): Promise<string | null> {
  const row = await database
    .selectFrom('webhook_delivery')
    .select('webhook_id')
    .where('id', '=', deliveryId)
    .where('status', '=', 'pending')
    .executeTakeFirst();
  return row?.webhook_id ?? null;
}

/** The oldest pending deliveries that may be attempted now. */
export async function listDueDeliveries(
  database: Kysely<Tables>,
  now: Date,
  most: number,
): Promise<readonly { readonly id: string; readonly attempts: number }[]> {
  const { rows } = await sql<{ id: string; attempts: number }>`
    select webhook_delivery.id, webhook_delivery.attempts from webhook_delivery
    join webhook on webhook.id = webhook_delivery.webhook_id and webhook.disabled_at is null
    where webhook_delivery.status = 'pending'
      and (webhook_delivery.next_attempt_at is null or webhook_delivery.next_attempt_at <= ${now}::timestamptz)
    order by webhook_delivery.next_attempt_at nulls first
    limit ${most}
  `.execute(database);
  return rows;
}
