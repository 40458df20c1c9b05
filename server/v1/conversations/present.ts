import type { z } from 'zod';
import type { ReplyWindow } from '../../../core/channels/outbound/reply-window.ts';
import type { Attachment } from '../../../core/contract/inbound.ts';
import type {
  ConversationRecord,
  ConversationView,
} from '../../../core/conversations/inbox/conversation-record.ts';
import type {
  Feedback,
  MessageDelivery,
  MessageRecord,
} from '../../../core/conversations/messages/messages.ts';
import type { NoteRecord } from '../../../core/conversations/messages/notes.ts';
import { isTestWorkspace, knownWorkspaceId } from '../../../core/workspaces/test-workspace.ts';
import { presentAuditEntry } from '../../schemas/audit-entry.ts';
import { presentCitation, presentSource } from '../query/present.ts';
import type {
  conversationSchema,
  conversationViewSchema,
  messageDeliverySchema,
  messageSchema,
  noteSchema,
} from './schema.ts';

export function presentConversationView(
  view: ConversationView,
  window: ReplyWindow | null,
): z.output<typeof conversationViewSchema> {
  return {
    ...presentConversation(view),
    messages: view.messages.map(presentMessage),
    internal_notes: view.notes.map(presentNote),
    audit_log: view.auditLog.map(presentAuditEntry),
    reply_window: window && { open: window.isOpen, closes_at: window.closesAt?.toISOString() ?? null },
  };
}

export function presentConversation(conversation: ConversationRecord): z.output<typeof conversationSchema> {
  const { resolvedAt, customer } = conversation;
  return {
    id: conversation.id,
    workspace_id: knownWorkspaceId(conversation.workspaceId),
    test: isTestWorkspace(conversation.workspaceId),
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
    user_id: conversation.userId,
    user_verified: conversation.isUserVerified,
    session_id: conversation.sessionId,
    metadata: conversation.metadata && { ...conversation.metadata },
    tags: [...conversation.tags],
    sla_state: conversation.slaState,
  };
}

export function presentMessage(message: MessageRecord): z.output<typeof messageSchema> {
  const common = { id: message.id, content: message.content, created_at: message.createdAt.toISOString() };
  switch (message.role) {
    case 'user':
      return {
        ...common,
        role: message.role,
        ...(message.metadata !== null && { metadata: { ...message.metadata } }),
        ...(message.attachments.length > 0 && { attachments: message.attachments.map(presentAttachment) }),
        ...(message.editedAt && { edited_at: message.editedAt.toISOString() }),
        ...(message.deletedAt && { deleted_at: message.deletedAt.toISOString() }),
      };
    case 'assistant':
      return {
        ...common,
        role: message.role,
        sources: message.sources.map(presentSource),
        citations: message.citations.map(presentCitation),
        tokens_used: message.tokensUsed,
        feedback: message.feedback && presentFeedback(message.feedback),
        delivery: presentDelivery(message.delivery),
        ended: message.ended,
        confidence: message.confidence,
        score: message.score,
        latency_ms: message.latencyMs,
        skills_fired: message.skillsFired && [...message.skillsFired],
        tier: message.tier,
        probability: message.probability,
        ai_generated: message.isGenerated,
        quoted: message.isQuoted,
        lead: message.lead,
        disclosure: message.disclosure,
      };
    case 'agent':
      return {
        ...common,
        role: message.role,
        author: message.author,
        ...(message.attachments.length > 0 && { attachments: message.attachments.map(presentAttachment) }),
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

/** Leaves out the platform's internal file reference. */
export function presentAttachment(attachment: Attachment) {
  const { kind, name, contentType, bytes, url, transcript, description } = attachment;
  return {
    ...{ kind, name, content_type: contentType, bytes },
    ...(url !== undefined && { url }),
    ...(transcript !== undefined && { transcript }),
    ...(description !== undefined && { description }),
  };
}

function presentFeedback({ value, comment, at }: Feedback) {
  return { value, comment, at: at.toISOString() };
}

export function presentNote(note: NoteRecord): z.output<typeof noteSchema> {
  return {
    id: note.id,
    conversation_id: note.conversationId,
    content: note.content,
    author: note.author,
    created_at: note.createdAt.toISOString(),
  };
}
