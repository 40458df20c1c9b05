import { z } from 'zod';
import { auditEntrySchema } from '../../schemas/audit-entry-schema.ts';
import { conversationSchema } from './conversation-schema.ts';
import { messageSchema } from './message-schema.ts';
import { noteSchema } from './note-schema.ts';

/** A conversation with all that belongs to it. */
export const conversationViewSchema = conversationSchema
  .extend({
    messages: z.array(messageSchema),
    internal_notes: z.array(noteSchema),
    audit_log: z.array(auditEntrySchema),
  })
  .meta({ id: 'ConversationView', description: 'Messages, notes and changes come oldest first.' });
