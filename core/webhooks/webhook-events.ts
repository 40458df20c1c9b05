/** What a webhook may be told of. */
export const webhookEvents = [
  'conversation.created',
  'message.created',
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

export type WebhookEvent = (typeof webhookEvents)[number];
