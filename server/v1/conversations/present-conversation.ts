import type { z } from 'zod';
import type { ConversationRecord } from '../../../core/conversations/conversation-record.ts';
import type { conversationSchema } from './conversation-schema.ts';

export function presentConversation(conversation: ConversationRecord): z.output<typeof conversationSchema> {
  const { resolvedAt, customer } = conversation;
  return {
    id: conversation.id,
    workspace_id: conversation.workspaceId,
    channel: conversation.channel,
    channel_id: conversation.channelId,
    status: conversation.status,
    priority: conversation.priority,
    started_at: conversation.startedAt.toISOString(),
    last_message_at: conversation.lastMessageAt.toISOString(),
    ...(resolvedAt === null ? {} : { resolved_at: resolvedAt.toISOString() }),
    snooze_until: conversation.snoozeUntil?.toISOString() ?? null,
    message_count: conversation.messageCount,
    customer: {
      email: customer.email,
      email_verified: customer.email === null ? null : customer.emailVerified,
      name: customer.name,
      phone: customer.phone,
    },
    tags: [...conversation.tags],
    sla_state: conversation.slaState,
  };
}
