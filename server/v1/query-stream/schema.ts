import { errorResponses } from '../../schemas/error-responses.ts';
import { querySchema } from '../query/schema.ts';
import { frameSchema } from './frame-schema.ts';

/** What the streaming query operation takes and answers. */
export const queryStreamSchema = {
  summary: 'Answer a question from the documents of a workspace, word by word',
  description:
    'Errors that are found before the answer begins are answered as those of any other operation. What goes wrong ' +
    'later is the last frame of the stream. Closing the connection stops the answer: it counts as a message, and ' +
    'what there is of it is kept.',
  operationId: 'queryStream',
  tags: ['Query'],
  security: [{ apiKey: [] }],
  body: querySchema.body,
  response: {
    200: {
      description: 'Server-sent events: status frames, token frames, and one last frame.',
      content: { 'text/event-stream': { schema: frameSchema } },
    },
    ...errorResponses(
      'workspace_access_denied',
      'verification_required',
      'workspace_not_found',
      'conversation_not_found',
      'document_not_found',
      'quota_exhausted',
      'request_timeout',
    ),
  },
};
