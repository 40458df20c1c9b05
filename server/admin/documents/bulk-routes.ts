import { z } from 'zod';
import { AppError } from '../../../core/base/errors.ts';
import type { DocumentTarget } from '../../../core/knowledge/documents/document-changes.ts';
import type { KnowledgeServices } from '../../../core/runtime/open-knowledge.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { assertKnownAudience } from '../../../core/workspaces/workspaces.ts';
import { needs, requestActor } from '../../plugins/operator-access.ts';
import { audienceSchema } from '../../schemas/fields.ts';
import { errorResponses } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute, requestWorkspace, restorableMs, workspaceParamsSchema } from '../operator-route.ts';

const bodySchema = z.object({
  ids: z.array(z.string().min(1).max(100)).min(1).max(100),
  action: z.enum(['delete', 'restore', 'reindex', 'set_audience']),
  audience: audienceSchema.default([]).meta({ description: 'For set_audience. Empty: everybody.' }),
  restorable: z
    .boolean()
    .default(false)
    .meta({ description: 'For delete: the documents can be restored for a minute.' }),
});

const bulkSchema = {
  ...operatorRoute,
  summary: 'Change several documents',
  operationId: 'changeDocuments',
  description:
    'Does one thing to each of the documents and returns the outcome of each. A document that fails does not stop the others.',
  params: workspaceParamsSchema,
  body: bodySchema,
  response: {
    200: z.object({
      results: z.array(
        z.object({
          id: z.string(),
          ok: z.boolean(),
          error: z
            .object({ code: z.string(), detail: z.string() })
            .nullable()
            .meta({ description: 'Why it was not done.' }),
        }),
      ),
    }),
    ...errorResponses('workspace_not_found', 'invalid_audience', 'invalid_ids', 'invalid_action'),
  },
};

/** Registers the change of several documents at once. */
export function bulkRoutes(app: TypedApp, runtime: Runtime): void {
  app.post(
    '/documents/bulk',
    { schema: bulkSchema, ...needs('knowledge:write', { scope: 'documents:write' }) },
    async (request) => {
      const workspace = requestWorkspace.get(request);
      assertKnownAudience(workspace, request.body.audience);
      const actor = requestActor.get(request).identity;
      const results = [];
      // One after the other: each is a transaction of its own, and answers do not wait for a hundred.
      for (const id of new Set(request.body.ids)) {
        results.push(await outcomeOf(runtime, { workspaceId: workspace.id, id, actor }, request.body));
      }
      return { results };
    },
  );
}

async function outcomeOf(
  runtime: Runtime,
  target: DocumentTarget,
  body: z.output<typeof bodySchema>,
): Promise<{ id: string; ok: boolean; error: { code: string; detail: string } | null }> {
  try {
    await act(runtime, target, body);
    return { id: target.id, ok: true, error: null };
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    return { id: target.id, ok: false, error: { code: error.code, detail: error.message } };
  }
}

async function act(
  { documents, documentChanges }: KnowledgeServices,
  target: DocumentTarget,
  { action, audience, restorable }: z.output<typeof bodySchema>,
): Promise<void> {
  if (action === 'delete') {
    const { workspaceId, id, actor } = target;
    await documents.delete(workspaceId, id, { actor, restorableMs: restorableMs(restorable) });
  } else if (action === 'restore') await documentChanges.restore(target);
  else if (action === 'reindex') await documentChanges.reindex(target);
  else await documentChanges.change(target, { audience });
}
