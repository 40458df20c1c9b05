import type { z } from 'zod';
import type { DeliveryRecord } from '../../../core/webhooks/delivery-record.ts';
import type { deliverySchema } from './delivery-schema.ts';

export function presentDelivery(delivery: DeliveryRecord): z.output<typeof deliverySchema> {
  return {
    id: delivery.id,
    webhook_id: delivery.webhookId,
    event: delivery.event,
    status: delivery.status,
    attempts: delivery.attempts,
    next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
    last_status: delivery.lastStatus,
    last_error: delivery.lastError,
    created_at: delivery.createdAt.toISOString(),
    delivered_at: delivery.deliveredAt?.toISOString() ?? null,
  };
}
