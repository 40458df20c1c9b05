import { errorResponses } from '../../schemas/error-responses.ts';
import { querySchema } from '../query/schema.ts';
import { frameSchema } from './frame-schema.ts';

/** What the streaming query operation takes and answers. */
export const queryStreamSchema = {
  summary: 'Answer a question from the documents of a workspace, word by word',
  operationId: 'queryStream',
  description:
    'As `POST /v1/query`, with the answer sent as server-sent events while it is written: status frames, token frames, and one final frame with the sources. Errors found before the answer begins are ordinary error responses; a later one is the last frame. If the client disconnects, generation stops, what was written is stored as `cancelled`, and the request counts. The stream ends after 30 seconds at the latest.',
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
