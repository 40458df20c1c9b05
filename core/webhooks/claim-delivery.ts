import { type Kysely, sql } from 'kysely';
import type { Tables } from '../storage/tables.ts';

/** A delivery that this process is to try now, and nobody else. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly workspace_id: string;
  readonly webhook_id: string;
  readonly event: string;
  readonly data: unknown;
  /** With this one. */
  readonly attempts: number;
  readonly created_at: Date;
  readonly queued_at: Date;
  readonly url: string;
  readonly secret_encrypted: string;
  readonly previous_secret_encrypted: string | null;
  readonly previous_secret_until: Date | null;
}

/** Longer than any try takes: after that it was lost, with the process that made it. */
const leaseMs = 20_000;

/** Null when there is nothing to do: it arrived, was given up, is being tried, or its webhook is off. */
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
