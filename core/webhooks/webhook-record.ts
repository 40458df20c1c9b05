import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { WebhookDeliveryTable, WebhookTable } from '../storage/tables/tables.ts';

/** Events that a webhook can subscribe to. */
export const webhookEvents = [
  'conversation.created',
  'message.created',
  'message.failed',
  'answer.low_confidence',
  'message.feedback',
  'lead.captured',
  'conversation.escalated',
  'conversation.status_changed',
  'conversation.rated',
  'document.indexed',
  'document.failed',
  'source.held',
  'sla.at_risk',
  'sla.breached',
] as const;

/** Subscribes to every event, including kinds that are added later. */
export const everyEvent = '*';

/** Sent when a person asks for it, to see whether a webhook arrives. */
export const testEvent = 'webhook.test';

export type WebhookEvent = (typeof webhookEvents)[number];

/** A webhook without its secret. */
export interface WebhookRecord {
  readonly id: string;
  readonly workspaceId: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly createdAt: Date;
  /** Time and reason if the webhook is disabled. */
  readonly disabled: { readonly at: Date; readonly reason: string } | null;
}

export function webhookFromRow(row: Selectable<WebhookTable>): WebhookRecord {
  const { disabled_at, disabled_reason } = row;
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    url: row.url,
    events: row.events,
    createdAt: row.created_at,
    disabled: disabled_at === null ? null : { at: disabled_at, reason: disabled_reason ?? '' },
  };
}

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;
const statusSchema = z.enum(deliveryStatuses);

/** The delivery of one event to one webhook. */
export interface DeliveryRecord {
  /** The id, also sent as `webhook-id`. */
  readonly id: string;
  readonly webhookId: string;
  readonly event: string;
  readonly status: z.output<typeof statusSchema>;
  readonly attempts: number;
  readonly createdAt: Date;
  /** Null if there is no further attempt or it is due now. */
  readonly nextAttemptAt: Date | null;
  /** Status code of the endpoint's last response. */
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly deliveredAt: Date | null;
}

export function deliveryFromRow(row: Selectable<WebhookDeliveryTable>): DeliveryRecord {
  return {
    id: row.id,
    webhookId: row.webhook_id,
    event: row.event,
    status: statusSchema.parse(row.status),
    attempts: row.attempts,
    createdAt: row.created_at,
    nextAttemptAt: row.next_attempt_at,
    lastStatus: row.last_status,
    lastError: row.last_error,
    deliveredAt: row.delivered_at,
  };
}
