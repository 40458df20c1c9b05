import { z } from 'zod';
import type { WebhookRecord } from '../../../core/webhooks/webhook-record.ts';
import { type DeliveryRecord, deliveryStatuses } from '../../../core/webhooks/webhook-record.ts';
import { withErrorCode } from '../../schemas/responses.ts';
import { workspaceParamsSchema } from '../operator-route.ts';

/** The path parameters of one webhook. */
export const webhookParamsSchema = workspaceParamsSchema.extend({
  hook_id: z.string().refine((id) => /^\w+$/.test(id), withErrorCode('webhook_not_found')),
});

/** A webhook as the operator sees it, without its secret. */
export const webhookSchema = z
  .object({
    id: z.string(),
    workspace_id: z.string(),
    url: z.string(),
    events: z.array(z.string()),
    enabled: z.boolean(),
    disabled_at: z.iso.datetime().nullable(),
    disabled_reason: z.string().nullable().meta({ description: 'Why the webhook was disabled.' }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Webhook' });

export function presentWebhook(webhook: WebhookRecord): z.output<typeof webhookSchema> {
  return {
    id: webhook.id,
    workspace_id: webhook.workspaceId,
    url: webhook.url,
    events: [...webhook.events],
    enabled: webhook.disabled === null,
    disabled_at: webhook.disabled?.at.toISOString() ?? null,
    disabled_reason: webhook.disabled?.reason ?? null,
    created_at: webhook.createdAt.toISOString(),
  };
}

/** The delivery of one event to one webhook. */
export const deliverySchema = z
  .object({
    id: z.string().meta({ description: 'Also sent as webhook-id, the same on every attempt.' }),
    webhook_id: z.string(),
    event: z.string(),
    status: z.enum(deliveryStatuses),
    attempts: z.int(),
    next_attempt_at: z.iso.datetime().nullable(),
    last_status: z.int().nullable().meta({ description: "The HTTP status of the receiver's last response." }),
    last_error: z.string().nullable(),
    created_at: z.iso.datetime(),
    delivered_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Delivery' });

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
