import { z } from 'zod';
import { ANSWER_STAGES } from '../../../core/answering/answer.ts';
import type { ErrorCode } from '../../../core/errors.ts';
import { errorResponses } from '../../schemas/responses.ts';
import { querySchema } from './schema.ts';

const statusFrame = z
  .object({
    event: z.literal('status'),
    stage: z.enum(ANSWER_STAGES),
    text: z.string().meta({ description: 'What goes on, for people.' }),
  })
  .meta({ id: 'StatusFrame', description: 'One at the beginning of each stage, in their order.' });

const tokenFrame = z
  .object({ token: z.string(), done: z.literal(false) })
  .meta({ id: 'TokenFrame', description: 'A piece of the answer: all of them, joined, are the answer.' });

const finalFrame = querySchema.response[200]
  .omit({ answer: true, latency_ms: true })
  .extend({ token: z.literal(''), done: z.literal(true) })
  .meta({ id: 'FinalFrame', description: 'The last frame of an answer that is whole and stored.' });

/** What may still go wrong when the answer has begun. */
const lateErrors: readonly ErrorCode[] = [
  'conversation_not_found',
  'internal_error',
  'model_provider_error',
  'upstream_timeout',
  'provider_down',
  'deploying',
  'request_timeout',
];

const errorFrame = z
  .object({
    error: z.string().meta({ description: 'What is wrong, for people.' }),
    done: z.literal(true),
    code: z.string().meta({ enum: [...lateErrors], description: 'What is wrong, for programs.' }),
    request_id: z.string().meta({ description: 'Also in the header X-Request-Id.' }),
  })
  .meta({ id: 'ErrorFrame', description: 'The last frame of an answer that failed.' });

/** What stands in one `data:` line of the stream. */
export const frameSchema = z.union([statusFrame, tokenFrame, finalFrame, errorFrame]).meta({
  description: 'The JSON of one event, `data: <json>` on a line of its own and a blank line after it.',
});

export type StatusFrame = z.output<typeof statusFrame>;
export type FinalFrame = z.output<typeof finalFrame>;
export type ErrorFrame = z.output<typeof errorFrame>;

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
