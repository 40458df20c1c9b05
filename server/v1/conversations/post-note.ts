import type { Runtime } from '../../../core/runtime.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { conversationParamsSchema } from './conversation-params-schema.ts';
import { conversationRoute } from './conversation-route.ts';
import { inboxUser } from './inbox-user.ts';
import { noteBodySchema } from './note-body-schema.ts';
import { noteSchema } from './note-schema.ts';
import { presentNote } from './present-note.ts';
import { readNote } from './read-note.ts';

const schema = {
  ...conversationRoute,
  operationId: 'addNote',
  description:
    'Adds a note that agents see and visitors never do. The author is the name of the API key unless `author_email` is given.',
  summary: 'Add an internal note, which no visitor sees',
  params: conversationParamsSchema,
  body: noteBodySchema,
  response: {
    201: noteSchema,
    ...errorResponses('conversation_not_found'),
  },
};

/** `POST /v1/conversations/{conversation_id}/notes`. */
export function postNote(app: TypedApp, { inbox }: Runtime): void {
  app.post('/conversations/:conversation_id/notes', { schema }, async (request, reply) => {
    const { conversation_id } = request.params;
    const note = await inbox.addNote(inboxUser(request), conversation_id, readNote(request.body));
    return reply.code(201).send(presentNote(note));
  });
}
