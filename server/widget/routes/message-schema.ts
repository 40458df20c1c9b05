import { z } from 'zod';
import type { VisitorMessage } from '../../../core/visitors/visitor-conversation.ts';
import { presentSource } from '../../v1/query/present.ts';
import { sourceSchema } from '../../v1/query/schema.ts';

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

/** How things stand between a visitor and us. */
export const visitorStateSchema = z.object({
  status: z.enum(['open', 'waiting', 'person', 'closed']).meta({
    description: 'waiting: a person was asked for. person: one has the conversation.',
  }),
  agent: z.string().nullable().meta({ description: 'The name of that person.' }),
  unread: z.int().meta({ description: 'What people said and the visitor has not seen.' }),
  answering: z.boolean().meta({ description: 'Whether a question of his is being answered.' }),
});
