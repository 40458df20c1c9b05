import { z } from 'zod';
import { findAccountIn } from '../../../core/pipeline/find-account.ts';
import { replyAsAgent } from '../../../core/pipeline/reply-as-agent.ts';
import type { Runtime } from '../../../core/runtime.ts';
import { answerWith } from '../../schemas/answer-with.ts';
import { characters } from '../../schemas/characters.ts';
import { emailSchema } from '../../schemas/email-schema.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { addressedWorkspace } from '../addressed-workspace.ts';
import { operatorRoute } from '../operator-route.ts';
import { workspaceParamsSchema } from '../workspace-params-schema.ts';
import { presentReply } from './present-reply.ts';
import { replySchema } from './reply-schema.ts';

const schema = {
  ...operatorRoute,
  operationId: 'replyAsAgent',
  description:
    "Stores the reply and sends it through the conversation's channel. The first reply claims the conversation: the engine stays silent in its channel until it is resolved or opened again. `delivery` tells whether the reply is on its way.",
  summary: 'Answer a visitor as a person, where the visitor asked',
  params: workspaceParamsSchema.extend({
    conv_id: z.string().refine((id) => /^\w+$/.test(id), answerWith('conversation_not_found')),
  }),
  body: z
    .object({
      content: characters({ min: 1, max: 4_000 }, z.string().trim()).meta({ description: 'Markdown.' }),
      author_email: emailSchema.meta({ description: 'The agent who says it.' }),
    })
    .meta({ examples: [{ content: 'Your parcel is on its way.', author_email: 'ann@example.com' }] }),
  response: {
    201: replySchema,
    ...errorResponses(
      'workspace_not_found',
      'conversation_not_found',
      'channel_unreachable',
      'channel_window_closed',
    ),
  },
};

/** `POST /admin/v1/workspaces/{workspace_id}/conversations/{conv_id}/reply`. */
export function postReply(app: TypedApp, runtime: Runtime): void {
  const dependencies = { ...runtime, findAccount: findAccountIn(runtime) };
  app.post('/conversations/:conv_id/reply', { schema }, async (request, reply) => {
    const { body, params } = request;
    const said = await replyAsAgent(dependencies, {
      workspaceId: addressedWorkspace.of(request).id,
      conversationId: params.conv_id,
      content: body.content,
      authorEmail: body.author_email,
    });
    return reply.code(201).send(presentReply(said));
  });
}
