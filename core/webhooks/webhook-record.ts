import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { WebhookDeliveryTable, WebhookTable } from '../storage/tables/tables.ts';

/** What a webhook may be told of. */
export const webhookEvents = [
  'conversation.created',
  'message.created',
  'message.failed',
  'answer.low_confidence',
  'message.feedback',
  'lead.captured',
  'conversation.escalated',
  'conversation.status_changed',
  'document.indexed',
  'document.failed',
  'sla.at_risk',
  'sla.breached',
] as const;

/** Stands for every event, also of kinds that are added later. */
export const everyEvent = '*';

export type WebhookEvent = (typeof webhookEvents)[number];

/** A webhook without its secret. */
export interface WebhookRecord {
  readonly id: string;
  readonly workspaceId: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly createdAt: Date;
  /** Since when nothing is sent to it, and why. */
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

/** One event on its way to one webhook. */
export interface DeliveryRecord {
  /** Also its `webhook-id`. */
  readonly id: string;
  readonly webhookId: string;
  readonly event: string;
  readonly status: z.output<typeof statusSchema>;
  readonly attempts: number;
  readonly createdAt: Date;
  /** Null where none is to come, or it comes at once. */
  readonly nextAttemptAt: Date | null;
  /** What the receiver answered last. */
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
