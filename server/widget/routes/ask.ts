import { z } from 'zod';
import type { ErrorCode } from '../../../core/base/error-catalogue.ts';
import { humanSkill } from '../../../core/contract/skill.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { fileLimits } from '../../../core/visitors/visitor-files.ts';
import { eventStreamResponse } from '../../event-stream.ts';
import { boundedString, messageTextSchema, questionSchema } from '../../schemas/fields.ts';
import { errorResponses, withErrorCode } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { type StreamingVisitorRoute, sessionRouteSchema } from './visitor-route.ts';
import { streamVisitorTurn, visitorFrameSchema } from './visitor-turn.ts';

const pageMetadataSchema = z
  .object({ page_url: boundedString({ max: 2_000 }), page_title: boundedString({ max: 300 }) })
  .partial()
  .optional()
  .meta({ description: 'The page of the site that the visitor is on. It is shown to agents.' });

const askBody = z
  .object({
    query: messageTextSchema.meta({
      maxLength: 4_000,
      description: 'The message. It may be empty only if there are files.',
    }),
    files: z
      .array(z.string())
      .max(fileLimits.ofMessage)
      .default([])
      .meta({ description: 'The ids of files that were uploaded with POST …/files.' }),
    metadata: pageMetadataSchema,
  })
  .refine(({ query, files }) => query !== '' || files.length > 0, {
    ...withErrorCode('missing_field'),
    path: ['query'],
  });

export function postAsk(app: TypedApp, runtime: Runtime, { kind, limits }: StreamingVisitorRoute): void {
  const schema = {
    ...sessionRouteSchema(kind),
    summary: 'Send a message as a visitor and stream the answer',
    operationId: 'askAsVisitor',
    description:
      "Sends the visitor's message and streams the answer in the frames of `POST /v1/query/stream`. While an agent handles the conversation, the message is stored for the agent and the only frame says so. The answer is completed and stored even if the connection is lost.",
    body: askBody,
    response: turnResponses('attachment_not_found'),
  };
  app.post('/ask', { schema }, (request, reply) => {
    const { query: text, files, metadata } = request.body;
    return streamVisitorTurn(runtime, { request, reply, limits }, { text, files, metadata });
  });
}

/** `POST …/human`: the same as the button that requests an agent. */
export function postHuman(app: TypedApp, runtime: Runtime, { kind, limits }: StreamingVisitorRoute): void {
  const schema = {
    ...sessionRouteSchema(kind),
    summary: 'Request an agent',
    operationId: 'askForPerson',
    description:
      'Escalates the conversation to an agent and streams the confirmation in the frames of `askAsVisitor`.',
    body: z.object({
      query: questionSchema.meta({
        description:
          "The text of the visitor's button. It is stored as a message and determines the language.",
      }),
      metadata: pageMetadataSchema,
    }),
    response: turnResponses(),
  };
  app.post('/human', { schema }, (request, reply) => {
    const { query: text, metadata } = request.body;
    return streamVisitorTurn(runtime, { request, reply, limits }, { text, metadata, skill: humanSkill });
  });
}

/** The responses of a route that sends a visitor's message. */
function turnResponses(...others: readonly ErrorCode[]) {
  return {
    200: eventStreamResponse(
      visitorFrameSchema,
      'Server-sent events: status frames, token frames, and one last frame.',
    ),
    ...errorResponses(
      'channel_not_found',
      'origin_not_allowed',
      'rate_limit_minute',
      'challenge_required',
      'rate_limit_concurrent',
      'quota_exhausted',
      'verification_required',
      'request_timeout',
      ...others,
    ),
  };
}
