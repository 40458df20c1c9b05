import { findAccountIn } from '../../../core/pipeline/find-account.ts';
import { findReplyWindow } from '../../../core/pipeline/find-reply-window.ts';
import type { Runtime } from '../../../core/runtime.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { changeBodySchema } from './change-body-schema.ts';
import { conversationParamsSchema } from './conversation-params-schema.ts';
import { conversationRoute } from './conversation-route.ts';
import { conversationViewSchema } from './conversation-view-schema.ts';
import { inboxUser } from './inbox-user.ts';
import { presentView } from './present-view.ts';
import { readChange } from './read-change.ts';

const schema = {
  ...conversationRoute,
  operationId: 'updateConversation',
  description:
    'Changes only the fields that are sent. Each change is written to the audit log and sent to webhooks that subscribe to it. `tags` replaces all tags, `internal_notes` are added to those there are. `snoozed` needs `snooze_until`.',
  summary: 'Change a conversation; each change is told in its audit log',
  params: conversationParamsSchema,
  body: changeBodySchema,
  response: {
    200: conversationViewSchema,
    ...errorResponses('conversation_not_found'),
  },
};

/** `PATCH /v1/conversations/{conversation_id}`. */
export function patchConversation(app: TypedApp, runtime: Runtime): void {
  const dependencies = { ...runtime, findAccount: findAccountIn(runtime) };
  app.patch('/conversations/:conversation_id', { schema }, async (request) => {
    const { conversation_id } = request.params;
    const change = readChange(request.body);
    const view = await runtime.inbox.change(inboxUser(request), conversation_id, change);
    const { id: conversationId, workspaceId } = view;
    return presentView(view, await findReplyWindow(dependencies, { workspaceId, conversationId }));
  });
}
