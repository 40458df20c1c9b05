import type { Runtime } from '../../../core/runtime.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import { noContentSchema } from '../../schemas/no-content-schema.ts';
import type { TypedApp } from '../../typed-app.ts';
import { addressedWorkspace } from '../addressed-workspace.ts';
import { operatorRoute } from '../operator-route.ts';
import { documentParamsSchema } from './document-params-schema.ts';

const schema = {
  ...operatorRoute,
  summary: 'Delete a document: from now on no answer is drawn from it',
  operationId: 'deleteDocument',
  description: 'Deletes the document and its passages. Answers do not use it from now on.',
  params: documentParamsSchema,
  response: { 204: noContentSchema, ...errorResponses('workspace_not_found', 'document_not_found') },
};

/** `DELETE /admin/v1/workspaces/{workspace_id}/documents/{doc_id}`. */
export function deleteDocument(app: TypedApp, { documents }: Runtime): void {
  app.delete('/documents/:doc_id', { schema }, async (request, reply) => {
    await documents.delete(addressedWorkspace.of(request).id, request.params.doc_id);
    return reply.code(204).send();
  });
}
