import { z } from 'zod';
import { toReadableSource } from '../../../core/answering/answer.ts';
import type { VisitorMessage } from '../../../core/visitors/visitor-conversation.ts';
import { presentSource } from '../../v1/query/present.ts';
import { groundsSchema, sourceSchema } from '../../v1/query/schema.ts';

export const visitorMessageSchema = z
  .object({
    id: z.string(),
    role: z.enum(['user', 'assistant', 'agent']),
    content: z.string(),
    created_at: z.iso.datetime(),
    sources: z.array(sourceSchema).meta({ description: 'The passages that the answer is based on.' }),
    related: z.array(sourceSchema).meta({ description: 'Pages related to a question that has no answer.' }),
    tier: groundsSchema.shape.tier.nullable().meta({
      description:
        'Answers only: maybe is shown with a question whether it helped, and a button for a person.',
    }),
    lead: groundsSchema.shape.lead,
    author: z.string().nullable().meta({ description: 'The name of the agent who wrote the message.' }),
    feedback: z.enum(['up', 'down']).nullable(),
    cut: z.boolean().meta({ description: 'true if the answer is incomplete.' }),
    handover: z
      .boolean()
      .meta({ description: 'true if the message announces an agent. Such a message cannot be rated.' }),
    attachments: z
      .array(
        z.object({
          name: z.string().nullable(),
          content_type: z.string().nullable(),
          bytes: z.int().nullable(),
          url: z.string().optional().meta({ description: 'Files of agents only: the link to the file.' }),
        }),
      )
      .meta({ description: 'The files that the visitor or the agent attached.' }),
  })
  .meta({ id: 'VisitorMessage' });

export function presentVisitorMessage(message: VisitorMessage): z.output<typeof visitorMessageSchema> {
  const { id, role, content, createdAt, author, feedback, isCut, isHandover, attachments } = message;
  return {
    id,
    role,
    content,
    created_at: createdAt.toISOString(),
    sources: message.sources.map(toReadableSource).map(presentSource),
    related: message.related.map(toReadableSource).map(presentSource),
    tier: message.tier,
    lead: message.lead,
    author,
    feedback,
    cut: isCut,
    handover: isHandover,
    attachments: attachments.map(({ name, contentType, bytes, url }) => ({
      name,
      content_type: contentType,
      bytes,
      ...(url !== undefined && { url }),
    })),
  };
}

/** The state of a visitor's conversation. */
export const visitorStateSchema = z.object({
  status: z.enum(['open', 'waiting', 'person', 'closed']).meta({
    description: 'waiting: the visitor requested an agent. person: an agent handles the conversation.',
  }),
  agent: z.string().nullable().meta({
    description:
      'The name of the agent who has the conversation. If it is closed, of the person who closed it; null if no person did.',
  }),
  unread: z.int().meta({ description: 'The number of agent messages that the visitor has not seen.' }),
  answering: z.boolean().meta({ description: 'true while a question of the visitor is being answered.' }),
  rating: z
    .object({ score: z.int().nullable().meta({ description: 'Null while the visitor has not answered.' }) })
    .nullable()
    .meta({ description: 'Given if the visitor is asked to rate the conversation that a person resolved.' }),
});
