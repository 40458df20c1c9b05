import { z } from 'zod';
import { requireConversation } from '../../../core/audit/audit-log.ts';
import { decisionRecordSchema } from '../../../core/contract/answer.ts';
import { findDecision } from '../../../core/conversations/messages/decisions.ts';
import type { StorageServices } from '../../../core/runtime/open-storage.ts';
import { needs } from '../../plugins/operator-access.ts';
import { errorResponses, withErrorCode } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute, requestWorkspace } from '../operator-route.ts';
import { conversationParamsSchema } from './schema.ts';

const getDecisionSchema = {
  ...operatorRoute,
  operationId: 'explainAnswer',
  summary: 'Explain an answer',
  description:
    'Returns how the message was understood, which passages were found, what was decided and why, and what the confidence rests on. Null for canned replies, and after the visitor edited or deleted an earlier message.',
  params: conversationParamsSchema.extend({
    message_id: z.string().refine((id) => /^\w+$/.test(id), withErrorCode('message_not_found')),
  }),
  response: {
    200: z.object({ decision: decisionRecordSchema.nullable() }).meta({ id: 'AnswerDecision' }),
    ...errorResponses('workspace_not_found', 'conversation_not_found', 'message_not_found'),
  },
};

export function decisionRoutes(app: TypedApp, { database }: StorageServices): void {
  app.get(
    '/conversations/:conv_id/messages/:message_id/decision',
    { schema: getDecisionSchema, ...needs('inbox:read') },
    async (request) => {
      const { conv_id: conversationId, message_id: messageId } = request.params;
      const { id: workspaceId } = requestWorkspace.get(request);
      await requireConversation(database.kysely, { workspaceId, id: conversationId });
      return { decision: await findDecision(database.kysely, { workspaceId, conversationId, messageId }) };
    },
  );
}
