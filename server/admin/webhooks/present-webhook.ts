import type { z } from 'zod';
import type { WebhookRecord } from '../../../core/webhooks/webhook-record.ts';
import type { webhookSchema } from './webhook-schema.ts';

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
