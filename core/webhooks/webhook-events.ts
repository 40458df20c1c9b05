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
