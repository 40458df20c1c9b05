import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { WebhookDeliveryTable } from '../storage/tables.ts';

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

export function deliveryOf(row: Selectable<WebhookDeliveryTable>): DeliveryRecord {
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
