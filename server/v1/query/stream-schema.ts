import { z } from 'zod';
import { ANSWER_STAGES } from '../../../core/answering/answer.ts';
import type { ErrorCode } from '../../../core/base/error-catalogue.ts';
import { errorResponses } from '../../schemas/responses.ts';
import { simulationText } from '../simulation.ts';
import { querySchema } from './schema.ts';

const statusFrame = z
  .object({
    event: z.literal('status'),
    stage: z.enum(ANSWER_STAGES),
    text: z.string().meta({ description: 'A description of the stage, for people.' }),
  })
  .meta({ id: 'StatusFrame', description: 'Sent at the beginning of each stage, in order.' });

const tokenFrame = z.object({ token: z.string(), done: z.literal(false) }).meta({
  id: 'TokenFrame',
  description: 'A piece of the answer. All tokens joined are the complete answer.',
});

const finalFrame = querySchema.response[200]
  .omit({ answer: true, latency_ms: true })
  .extend({ token: z.literal(''), done: z.literal(true) })
  .meta({ id: 'FinalFrame', description: 'The last frame of an answer that is complete and stored.' });

/** Errors that can occur after the answer has started. */
const lateErrors: readonly ErrorCode[] = [
  'conversation_not_found',
  'internal_error',
  'model_provider_error',
  'upstream_timeout',
  'storage_unavailable',
  'provider_down',
  'deploying',
  'request_timeout',
];

const errorFrame = z
  .object({
    error: z.string().meta({ description: 'A description of the problem, for people.' }),
    done: z.literal(true),
    code: z.string().meta({ enum: [...lateErrors], description: 'The code of the problem, for programs.' }),
    request_id: z.string().meta({ description: 'Also in the header X-Request-Id.' }),
  })
  .meta({ id: 'ErrorFrame', description: 'The last frame of an answer that failed.' });

/** The JSON of one `data:` line of the stream. */
export const frameSchema = z.union([statusFrame, tokenFrame, finalFrame, errorFrame]).meta({
  description: 'The JSON of one event: a line `data: <json>`, followed by a blank line.',
});

export type StatusFrame = z.output<typeof statusFrame>;
export type FinalFrame = z.output<typeof finalFrame>;
export type ErrorFrame = z.output<typeof errorFrame>;

/** The schema of the streaming query operation. */
export const queryStreamSchema = {
  summary: 'Stream an answer from the documents of a workspace as it is written',
  operationId: 'queryStream',
  description:
    'Like `POST /v1/query`, but sends the answer as server-sent events while it is written: status frames, token frames, and one final frame with the sources. Errors that occur before the answer begins are ordinary error responses; a later error is the last frame. If the client disconnects, generation stops, the partial answer is stored as `cancelled`, and the request counts. The stream ends after 30 seconds at the latest. ' +
    simulationText,
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
