import { z } from 'zod';
import { conversationStatuses, priorities } from '../../../core/conversations/conversation-values.ts';
import { characters } from '../../schemas/characters.ts';
import { emailSchema } from '../../schemas/email-schema.ts';
import { timeSchema } from '../../schemas/time-schema.ts';
import { noteBodySchema } from './note-body-schema.ts';
import { tagSchema } from './tag-schema.ts';

/** What may be changed of a conversation; what is absent stays. */
export const changeBodySchema = z.object({
  status: z.enum(conversationStatuses).optional(),
  tags: z.array(tagSchema).max(50).optional().meta({ description: 'Instead of those there are.' }),
  priority: z.enum(priorities).optional(),
  internal_notes: z
    .array(noteBodySchema)
    .max(100)
    .optional()
    .meta({ description: 'To be added to those there are.' }),
  customer: z
    .object({
      email: emailSchema.nullable(),
      name: characters({ max: 200 }).nullable(),
      phone: characters({ max: 64 }).nullable(),
    })
    .partial()
    .optional()
    .meta({ description: 'Null forgets what was known.' }),
  snooze_until: timeSchema
    .nullish()
    .meta({ description: 'When a snoozed conversation opens again: required for the status snoozed.' }),
});
