import { z } from 'zod';
import type { VisitorMessage } from '../../../core/visitors/visitor-messages.ts';
import { presentSource } from '../../v1/query/present-source.ts';
import { sourceSchema } from '../../v1/query/source-schema.ts';

export const visitorMessageSchema = z
  .object({
    id: z.string(),
    role: z.enum(['user', 'assistant', 'agent']),
    content: z.string(),
    created_at: z.iso.datetime(),
    sources: z.array(sourceSchema).meta({ description: 'What an answer rests on.' }),
    related: z
      .array(sourceSchema)
      .meta({ description: 'Pages that are near to a question without an answer.' }),
    author: z.string().nullable().meta({ description: 'The name of the person who wrote it.' }),
    feedback: z.enum(['up', 'down']).nullable(),
    cut: z.boolean().meta({ description: 'The answer broke off.' }),
    handover: z
      .boolean()
      .meta({ description: 'It says that a person was brought in: there is nothing to judge.' }),
    attachments: z
      .array(
        z.object({
          name: z.string().nullable(),
          content_type: z.string().nullable(),
          bytes: z.int().nullable(),
        }),
      )
      .meta({ description: 'What the visitor sent along.' }),
  })
  .meta({ id: 'VisitorMessage' });

export function presentVisitorMessage(message: VisitorMessage): z.output<typeof visitorMessageSchema> {
  const { id, role, content, createdAt, author, feedback, isCut, isHandover, attachments } = message;
  return {
    id,
    role,
    content,
    created_at: createdAt.toISOString(),
    sources: message.sources.map(presentSource),
    related: message.related.map(presentSource),
    author,
    feedback,
    cut: isCut,
    handover: isHandover,
    attachments: attachments.map(({ name, contentType, bytes }) => ({
      name,
      content_type: contentType,
      bytes,
    })),
  };
}
