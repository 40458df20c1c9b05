import { z } from 'zod';
import { listMentions, readMentions } from '../../../core/inbox/mentions.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { needs } from '../../plugins/operator-access.ts';
import { conversationChannelSchema } from '../../schemas/fields.ts';
import { errorResponses, noContentSchema } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute, workspaceParamsSchema } from '../operator-route.ts';
import { toPerson } from './schema.ts';

const mentionSchema = z
  .object({
    note_id: z.string(),
    conversation_id: z.string(),
    channel: conversationChannelSchema,
    handle: z.string().nullable().meta({ description: 'Of the customer.' }),
    author: z.string(),
    content: z.string().meta({ description: 'The beginning of the note.' }),
    at: z.iso.datetime(),
    read_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Mention' });

const listMentionsSchema = {
  ...operatorRoute,
  operationId: 'listMentions',
  summary: 'List the notes that name the caller',
  description: 'Returns the latest 30, newest first.',
  params: workspaceParamsSchema,
  response: {
    200: z.object({
      mentions: z.array(mentionSchema),
      unread: z.int().meta({ description: 'How many of them are not read.' }),
    }),
    ...errorResponses('workspace_not_found'),
  },
};

const readMentionsSchema = {
  ...operatorRoute,
  operationId: 'readMentions',
  summary: 'Mark notes that name the caller as read',
  description: 'Marks those of one conversation, or all.',
  params: workspaceParamsSchema,
  body: z
    .object({ conversation_id: z.string().max(100).optional() })
    .meta({ examples: [{ conversation_id: 'conv_01kpq4s8xn5y0e7g2h3j4m6900' }] }),
  response: { 204: noContentSchema, ...errorResponses('workspace_not_found') },
};

/** Registers the routes about the notes that name a person. */
export function mentionRoutes(app: TypedApp, { database, clock }: Runtime): void {
  const stores = { database: database.kysely, clock };
  app.get('/mentions', { schema: listMentionsSchema, ...needs('inbox:read') }, async (request) => {
    const { items, unread } = await listMentions(database.kysely, toPerson(request));
    return {
      unread,
      mentions: items.map((mention) => ({
        note_id: mention.noteId,
        conversation_id: mention.conversationId,
        channel: mention.channel,
        handle: mention.handle,
        author: mention.author,
        content: mention.content,
        at: mention.at.toISOString(),
        read_at: mention.readAt?.toISOString() ?? null,
      })),
    };
  });
  app.put('/mentions', { schema: readMentionsSchema, ...needs('inbox:read') }, async (request, reply) => {
    const { conversation_id: conversationId } = request.body;
    await readMentions(stores, { ...toPerson(request), conversationId });
    return reply.code(204).send();
  });
}
