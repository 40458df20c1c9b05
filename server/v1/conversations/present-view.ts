import type { z } from 'zod';
import type { ConversationView } from '../../../core/conversations/conversation-view.ts';
import type { ReplyWindow } from '../../../core/pipeline/reply-window.ts';
import { presentAuditEntry } from '../../schemas/present-audit-entry.ts';
import type { conversationViewSchema } from './conversation-view-schema.ts';
import { presentConversation } from './present-conversation.ts';
import { presentMessage } from './present-message.ts';
import { presentNote } from './present-note.ts';

export function presentView(
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
