import type { Runtime } from '../../../core/runtime.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { addressedWorkspace } from '../addressed-workspace.ts';
import { operatorRoute } from '../operator-route.ts';
import { documentParamsSchema } from './document-params-schema.ts';
import { documentSchema } from './document-schema.ts';
import { presentDocument } from './present-document.ts';

const schema = {
  ...operatorRoute,
  summary: 'Read what is known of a document',
  operationId: 'getDocument',
  description: 'Returns the state of the document and its indexing. The text itself is not returned.',
  params: documentParamsSchema,
  response: { 200: documentSchema, ...errorResponses('workspace_not_found', 'document_not_found') },
};

/** `GET /admin/v1/workspaces/{workspace_id}/documents/{doc_id}`. */
export function getDocument(app: TypedApp, { documents }: Runtime): void {
  app.get('/documents/:doc_id', { schema }, async (request) =>
    presentDocument(await documents.get(addressedWorkspace.of(request).id, request.params.doc_id)),
  );
}
