import { z } from 'zod';
import { DEFAULT_LOADING_LIMITS } from '../../../core/knowledge/loaders/loading-limits.ts';
import type { Runtime } from '../../../core/runtime.ts';
import { requireAudience } from '../../../core/workspaces/require-audience.ts';
import type { Drain } from '../../drain.ts';
import { readForm } from '../../forms/read-form.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { addressedWorkspace } from '../addressed-workspace.ts';
import { operatorRoute } from '../operator-route.ts';
import { workspaceParamsSchema } from '../workspace-params-schema.ts';
import { documentBodySchema } from './document-body-schema.ts';
import { documentSchema } from './document-schema.ts';
import { presentDocument } from './present-document.ts';
import { readDocument } from './read-document.ts';
import { waitForIndexing } from './wait-for-indexing.ts';

/** More than a document may have: one that is too large is recorded as failed, with the reason. */
const bodyLimit = 30 * 2 ** 20;

const schema = {
  ...operatorRoute,
  summary: 'Add a document, or replace the one of the same address or file name',
  operationId: 'addDocument',
  consumes: ['application/json', 'multipart/form-data'],
  params: workspaceParamsSchema,
  querystring: z.object({
    wait: z
      .enum(['true', 'false'])
      .default('false')
      .meta({ description: 'Answer when it is indexed or failed.' }),
  }),
  body: documentBodySchema,
  response: {
    200: documentSchema.meta({ description: 'With wait: it is indexed or failed.' }),
    202: documentSchema.meta({ description: 'It will be indexed.' }),
    ...errorResponses('workspace_not_found', 'invalid_multipart'),
  },
};

/** `POST /admin/v1/workspaces/{workspace_id}/documents`. */
export function postDocument(app: TypedApp, { documents }: Runtime, drain: Drain): void {
  app.post(
    '/documents',
    { schema, bodyLimit, preValidation: readForm(DEFAULT_LOADING_LIMITS.maxFileBytes) },
    async (request, reply) => {
      const workspace = addressedWorkspace.of(request);
      requireAudience(workspace, request.body.audience);
      const added = await documents.add({ ...readDocument(request.body), workspaceId: workspace.id });
      if (request.query.wait === 'false') return reply.code(202).send(presentDocument(added));
      const document = await waitForIndexing(documents, added, { reply, draining: drain.signal });
      const final = document.status === 'indexed' || document.status === 'failed';
      return reply.code(final ? 200 : 202).send(presentDocument(document));
    },
  );
}
