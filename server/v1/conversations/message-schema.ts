import { z } from 'zod';
import { opinions } from '../../../core/conversations/conversation-values.ts';
import { sourceSchema } from '../query/source-schema.ts';

/** What the visitor (`user`), the engine (`assistant`) or a person (`agent`) said. */
export const messageSchema = z
  .object({
    id: z.string(),
    role: z.enum(['user', 'assistant', 'agent']),
    content: z.string(),
    created_at: z.iso.datetime(),
    sources: z.array(sourceSchema).optional().meta({ description: 'Of assistant messages.' }),
    tokens_used: z.int().optional().meta({ description: 'Of assistant messages.' }),
    edited_at: z.iso.datetime().optional().meta({
      description: 'Of user messages that the visitor changed on his platform: when he did so last.',
    }),
    deleted_at: z.iso.datetime().optional().meta({
      description: 'Of user messages that the visitor took back on his platform: their content is empty.',
    }),
    feedback: z
      .object({
        value: z.enum(opinions),
        comment: z.string().nullable(),
        at: z.iso.datetime(),
      })
      .nullable()
      .optional()
      .meta({
        description: 'Of assistant messages: what the visitor thinks of it; null where he did not say.',
      }),
    attachments: z
      .array(
        z.object({
          kind: z.enum(['image', 'audio', 'video', 'file', 'other']),
          name: z.string().nullable(),
          content_type: z.string().nullable(),
          bytes: z.int().nullable(),
        }),
      )
      .optional()
      .meta({ description: 'Of user messages that came with files: what the platform says of each.' }),
    author: z.string().nullable().optional().meta({ description: 'Of agent messages: who wrote it.' }),
  })
  .meta({ id: 'Message' });
