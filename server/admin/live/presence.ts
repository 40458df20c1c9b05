import { z } from 'zod';
import { AppError } from '../../../core/base/errors.ts';
import { createAccountFinder } from '../../../core/channels/accounts/channel-accounts.ts';
import { AgentTyping } from '../../../core/live/agent-typing.ts';
import { doingSchema } from '../../../core/live/presence.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { callerPermissions, needs, requestActor } from '../../plugins/operator-access.ts';
import { errorResponses, noContentSchema, withErrorCode } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute, requestWorkspace, workspaceParamsSchema } from '../operator-route.ts';

const putPresenceSchema = {
  ...operatorRoute,
  summary: 'Tell that you have a conversation open',
  operationId: 'setPresence',
  description:
    'Shows the other agents that you look at the conversation or write in it. Repeat it every 20 seconds; it is forgotten after 45. While you write, the visitor sees so where their channel can show it. `left` ends it.',
  params: workspaceParamsSchema.extend({
    conv_id: z.string().refine((id) => /^\w+$/.test(id), withErrorCode('conversation_not_found')),
  }),
  body: z.object({ doing: doingSchema }),
  response: {
    204: noContentSchema,
    ...errorResponses('workspace_not_found', 'conversation_not_found', 'permission_denied'),
  },
};

/** `PUT …/conversations/{conv_id}/presence`. */
export function putPresence(app: TypedApp, runtime: Runtime): void {
  const { database, presence } = runtime;
  const typing = new AgentTyping({ ...runtime, findAccount: createAccountFinder(runtime) });
  const path = '/conversations/:conv_id/presence';
  app.put(path, { schema: putPresenceSchema, ...needs('inbox:read') }, async (request, reply) => {
    const { doing } = request.body;
    const { person, ...actor } = requestActor.get(request);
    const workspace = requestWorkspace.get(request);
    if (doing === 'writing' && !callerPermissions({ person, ...actor }, workspace).includes('inbox:reply')) {
      throw new AppError('permission_denied', {
        detail: 'Your role does not include replies. Ask an owner of this workspace.',
      });
    }
    const target = { workspaceId: workspace.id, conversationId: request.params.conv_id };
    const found = await database.kysely
      .selectFrom('conversation')
      .select('id')
      .where('id', '=', target.conversationId)
      .where('workspace_id', '=', target.workspaceId)
      .executeTakeFirst();
    if (found === undefined) throw new AppError('conversation_not_found');
    const shown = { id: person?.id ?? actor.name, name: person?.name ?? actor.name };
    await presence.tell({ ...target, person: shown, doing });
    if (doing === 'writing' && person !== null) await typing.show({ ...target, name: person.name });
    return reply.code(204).send();
  });
}
