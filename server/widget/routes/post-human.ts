import { z } from 'zod';
import { personSkill } from '../../../core/contract/person-skill.ts';
import type { Runtime } from '../../../core/runtime.ts';
import { questionSchema } from '../../schemas/question-schema.ts';
import type { TypedApp } from '../../typed-app.ts';
import { metadataSchema } from './metadata-schema.ts';
import { type StreamingRoute, sessionRoute } from './route-kind.ts';
import { sayInStream } from './say-in-stream.ts';
import { sayingResponses } from './saying-responses.ts';

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
