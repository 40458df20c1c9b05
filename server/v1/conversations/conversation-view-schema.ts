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
    reply_window: z
      .object({
        open: z.boolean(),
        closes_at: z.iso.datetime().nullable().meta({ description: 'Null where the visitor never wrote.' }),
      })
      .nullable()
      .meta({
        description:
          'Where the platform lets nobody write long after the visitor did: until when one may. Null where that is always.',
      }),
  })
  .meta({ id: 'ConversationView', description: 'Messages, notes and changes come oldest first.' });
