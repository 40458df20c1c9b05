import type { z } from 'zod';
import type { Attachment } from '../../../core/contract/inbound-event.ts';
import type { MessageDelivery } from '../../../core/conversations/message-delivery.ts';
import type { Feedback, MessageRecord } from '../../../core/conversations/message-record.ts';
import { presentSource } from '../query/present-source.ts';
import type { messageDeliverySchema, messageSchema } from './message-schema.ts';

export function presentMessage(message: MessageRecord): z.output<typeof messageSchema> {
  const common = { id: message.id, content: message.content, created_at: message.createdAt.toISOString() };
  switch (message.role) {
    case 'user':
      return {
        ...common,
        role: message.role,
        ...(message.attachments.length > 0 && { attachments: message.attachments.map(presentAttachment) }),
        ...(message.editedAt && { edited_at: message.editedAt.toISOString() }),
        ...(message.deletedAt && { deleted_at: message.deletedAt.toISOString() }),
      };
    case 'assistant':
      return {
        ...common,
        role: message.role,
        sources: message.sources.map(presentSource),
        tokens_used: message.tokensUsed,
        feedback: message.feedback && presentFeedback(message.feedback),
        delivery: presentDelivery(message.delivery),
        ended: message.ended,
        confidence: message.confidence,
        score: message.score,
        latency_ms: message.latencyMs,
        skills_fired: message.skillsFired && [...message.skillsFired],
      };
    case 'agent':
      return {
        ...common,
        role: message.role,
        author: message.author,
        delivery: presentDelivery(message.delivery),
        ended: null,
      };
  }
}

export function presentDelivery(
  delivery: MessageDelivery | null,
): z.output<typeof messageDeliverySchema> | null {
  return delivery && { ...delivery, at: delivery.at.toISOString() };
}

/** Without the platform's own reference, which is nobody else's business. */
function presentAttachment({ kind, name, contentType, bytes }: Attachment) {
  return { kind, name, content_type: contentType, bytes };
}

function presentFeedback({ value, comment, at }: Feedback) {
  return { value, comment, at: at.toISOString() };
}
