import { z } from 'zod';
import type { Runtime } from '../../../core/runtime.ts';
import { fileLimits } from '../../../core/visitors/file-limits.ts';
import { answerWith } from '../../schemas/answer-with.ts';
import { wordsSchema } from '../../schemas/words-schema.ts';
import type { TypedApp } from '../../typed-app.ts';
import { metadataSchema } from './metadata-schema.ts';
import { type StreamingRoute, sessionRoute } from './route-kind.ts';
import { sayInStream } from './say-in-stream.ts';
import { sayingResponses } from './saying-responses.ts';

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
