import { z } from 'zod';
import type { Runtime } from '../../../core/runtime.ts';
import { endSessions } from '../../../core/visitors/end-sessions.ts';
import { answerWith } from '../../schemas/answer-with.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { addressedWorkspace } from '../addressed-workspace.ts';
import { operatorRoute } from '../operator-route.ts';
import { workspaceParamsSchema } from '../workspace-params-schema.ts';

const schema = {
  ...operatorRoute,
  operationId: 'endSessions',
  description:
    'Ends all sessions of this visitor in the widget and on the hosted page. The messages stay stored, but these sessions can no longer read them. A visitor who proves their identity can begin a new session and finds them again.',
  summary: "End the sessions of a conversation's visitor, on every device",
  params: workspaceParamsSchema.extend({
    conv_id: z.string().refine((id) => /^\w+$/.test(id), answerWith('conversation_not_found')),
  }),
  response: {
    200: z.object({ ended: z.int().meta({ description: 'How many there were.' }) }),
    ...errorResponses('workspace_not_found', 'conversation_not_found'),
  },
};

/** `DELETE /admin/v1/workspaces/{workspace_id}/conversations/{conv_id}/sessions`. */
export function deleteSessions(app: TypedApp, runtime: Runtime): void {
  app.delete('/conversations/:conv_id/sessions', { schema }, async (request) => ({
    ended: await endSessions(runtime, {
      workspaceId: addressedWorkspace.of(request).id,
      conversationId: request.params.conv_id,
    }),
  }));
}
