import { z } from 'zod';
import { maskedQuestion } from '../../../core/answering/masking/masked-question.ts';
import { searchKnowledge } from '../../../core/knowledge/search.ts';
import type { Runtime } from '../../../core/runtime.ts';
import { requireAudience } from '../../../core/workspaces/require-audience.ts';
import { audienceSchema } from '../../schemas/audience-schema.ts';
import { documentIdsSchema } from '../../schemas/document-ids-schema.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import { questionSchema } from '../../schemas/question-schema.ts';
import type { TypedApp } from '../../typed-app.ts';
import { addressedWorkspace } from '../addressed-workspace.ts';
import { operatorRoute } from '../operator-route.ts';
import { workspaceParamsSchema } from '../workspace-params-schema.ts';
import { presentResult } from './present-result.ts';
import { resultSchema } from './result-schema.ts';

const schema = {
  ...operatorRoute,
  summary: 'Search the documents of a workspace, as an answer would',
  operationId: 'search',
  description:
    'Returns the passages that an answer to this question would be drawn from, best first, with the parts of their scores, whether they suffice for an answer or not. Stores nothing and counts no message.',
  params: workspaceParamsSchema,
  body: z
    .object({
      query: questionSchema,
      top_k: z.number().int().min(1).max(20).default(5),
      audience: audienceSchema.default([]),
      document_ids: documentIdsSchema.optional(),
    })
    .meta({ examples: [{ query: 'delivery to Germany', top_k: 3 }] }),
  response: {
    200: z.object({ results: z.array(resultSchema) }),
    ...errorResponses('workspace_not_found', 'document_not_found'),
  },
};

/** `POST /admin/v1/workspaces/{workspace_id}/search`. */
export function postSearch(app: TypedApp, { corpora, database, documents, embedder }: Runtime): void {
  app.post('/search', { schema }, async (request) => {
    const workspace = addressedWorkspace.of(request);
    const { query, top_k, audience, document_ids } = request.body;
    requireAudience(workspace, audience);
    await documents.requireAll(workspace.id, document_ids ?? []);
    const asked = { text: query, earlierTurns: [], summary: null, overheard: [] };
    const { text } = maskedQuestion(workspace, asked);
    const { ranked } = await searchKnowledge(
      { database: database.kysely, embedder, corpora },
      { workspaceId: workspace.id, question: text, audience, documentIds: document_ids ?? null },
    );
    return { results: ranked.slice(0, top_k).map(presentResult) };
  });
}
