import { z } from 'zod';
import { personSkill } from '../../../core/contract/skill.ts';
import type { ErrorCode } from '../../../core/errors.ts';
import type { Runtime } from '../../../core/runtime.ts';
import { fileLimits } from '../../../core/visitors/visitor-files.ts';
import { eventsOf } from '../../event-stream.ts';
import { characters, questionSchema, wordsSchema } from '../../schemas/fields.ts';
import { answerWith, errorResponses } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { type StreamingRoute, sessionRoute } from './visitor-route.ts';
import { sayInStream, visitorFrameSchema } from './visitor-turn.ts';

/** Where the visitor is on the site. */
const metadataSchema = z
  .object({ page_url: characters({ max: 2_000 }), page_title: characters({ max: 300 }) })
  .partial()
  .optional()
  .meta({ description: 'Where the visitor is on the site: shown to the people who answer.' });

const body = z
  .object({
    query: wordsSchema.meta({ maxLength: 4_000, description: 'Empty only where there are files.' }),
    files: z
      .array(z.string())
      .max(fileLimits.ofMessage)
      .default([])
      .meta({ description: 'The ids of files that were sent before, by POST …/files.' }),
    metadata: metadataSchema,
  })
  .refine(({ query, files }) => query !== '' || files.length > 0, {
    ...answerWith('missing_field'),
    path: ['query'],
  });

/** `POST …/ask`: the answer as server-sent events. */
export function postAsk(app: TypedApp, runtime: Runtime, { kind, limits }: StreamingRoute): void {
  const schema = {
    ...sessionRoute(kind),
    summary: 'Ask as a visitor, and hear the answer word by word',
    operationId: 'askAsVisitor',
    description:
      "Sends the visitor's message and streams the answer in the frames of `POST /v1/query/stream`. While a person handles the conversation, the message is stored for them and the only frame says so. The answer is completed and stored even if the connection is lost.",
    body,
    response: sayingResponses('attachment_not_found'),
  };
  app.post('/ask', { schema }, (request, reply) => {
    const { query: text, files, metadata } = request.body;
    return sayInStream(runtime, { request, reply, limits }, { text, files, metadata });
  });
}

/** `POST …/human`: as pressing "talk to a person". */
export function postHuman(app: TypedApp, runtime: Runtime, { kind, limits }: StreamingRoute): void {
  const schema = {
    ...sessionRoute(kind),
    summary: 'Ask for a person',
    operationId: 'askForPerson',
    description:
      'Escalates the conversation to a person and streams the confirmation in the frames of asking.',
    body: z.object({
      query: questionSchema.meta({
        description: "What the visitor's button says: it stands in the conversation, and tells the language.",
      }),
      metadata: metadataSchema,
    }),
    response: sayingResponses(),
  };
  app.post('/human', { schema }, (request, reply) => {
    const { query: text, metadata } = request.body;
    return sayInStream(runtime, { request, reply, limits }, { text, metadata, skill: personSkill });
  });
}

/** What comes of what a visitor says. */
function sayingResponses(...others: readonly ErrorCode[]) {
  return {
    200: eventsOf(visitorFrameSchema, 'Server-sent events: status frames, token frames, and one last frame.'),
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
