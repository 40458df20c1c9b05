import { z } from 'zod';
import type { Runtime } from '../../../core/runtime.ts';
import { answerWith } from '../../schemas/answer-with.ts';
import { auditEntrySchema } from '../../schemas/audit-entry-schema.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import { pageQuerySchema } from '../../schemas/page-query-schema.ts';
import { paginationSchema } from '../../schemas/pagination-schema.ts';
import { presentAuditEntry } from '../../schemas/present-audit-entry.ts';
import { presentPagination } from '../../schemas/present-pagination.ts';
import type { TypedApp } from '../../typed-app.ts';
import { addressedWorkspace } from '../addressed-workspace.ts';
import { operatorRoute } from '../operator-route.ts';
import { workspaceParamsSchema } from '../workspace-params-schema.ts';

const schema = {
  ...operatorRoute,
  operationId: 'listAuditLog',
  description:
    'Returns every change of the conversation with its author and time. Entries outlive the conversation.',
  summary: 'List the changes of a conversation, latest first; also of one that was deleted',
  params: workspaceParamsSchema.extend({
    conv_id: z.string().refine((id) => /^\w+$/.test(id), answerWith('conversation_not_found')),
  }),
  querystring: pageQuerySchema,
  response: {
    200: z.object({ audit_log: z.array(auditEntrySchema), pagination: paginationSchema }),
    ...errorResponses('workspace_not_found', 'conversation_not_found'),
  },
};

/** `GET /admin/v1/workspaces/{workspace_id}/conversations/{conv_id}/audit-log`. */
export function getAuditLog(app: TypedApp, { inbox }: Runtime): void {
  app.get('/conversations/:conv_id/audit-log', { schema }, async (request) => {
    const workspace = addressedWorkspace.of(request);
    const page = await inbox.auditLog(workspace.id, request.params.conv_id, request.query);
    return { audit_log: page.items.map(presentAuditEntry), pagination: presentPagination(page) };
  });
}
