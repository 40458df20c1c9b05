import { z } from 'zod';
import { withOwnerModels } from '../../../core/answering/ask-request.ts';
import { maskQuestion } from '../../../core/answering/masking.ts';
import { roundScore } from '../../../core/contract/answer.ts';
import type { FoundPassage, RankedChunk } from '../../../core/knowledge/passage.ts';
import { rerankPassages, searchKnowledge } from '../../../core/knowledge/search.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { assertKnownAudience } from '../../../core/workspaces/workspaces.ts';
import { needs } from '../../plugins/operator-access.ts';
import { audienceSchema, documentIdsSchema, questionSchema } from '../../schemas/fields.ts';
import { errorResponses } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute, requestWorkspace, workspaceParamsSchema } from '../operator-route.ts';

const scorePart = z.number();

/** A passage that a search found, with the parts of its score. */
const resultSchema = z
  .object({
    document_id: z.string(),
    chunk_id: z.string(),
    title: z.string(),
    url: z.string().nullable(),
    chunk: z.string(),
    score: z.number().meta({ minimum: 0, maximum: 1 }),
    read: z
      .boolean()
      .meta({ description: "Whether the reader read the passage: its score is then the reader's." }),
    parts: z.object({ bm25: scorePart, coverage: scorePart, cosine: scorePart, fused: scorePart }),
  })
  .meta({ id: 'SearchResult' });

const postSearchSchema = {
  ...operatorRoute,
  summary: 'Search the documents of a workspace as an answer would',
  operationId: 'search',
  description:
    'Returns the passages that an answer to this question would use, best first, with the parts of their scores, even if they are not sufficient for an answer. Nothing is stored, and the request does not count as a message.',
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

export function postSearch(app: TypedApp, runtime: Runtime): void {
  const { corpora, database, documents, embedder, reranker, passageReader } = runtime;
  app.post(
    '/search',
    { schema: postSearchSchema, ...needs('knowledge:read', { scope: 'search' }) },
    async (request) => {
      const workspace = requestWorkspace.get(request);
      const { query, top_k, audience, document_ids } = request.body;
      assertKnownAudience(workspace, audience);
      await documents.requireAll(workspace.id, document_ids ?? []);
      const question = { text: query, earlierTurns: [], summary: null, overheard: [] };
      const { text } = maskQuestion(workspace, question);
      const found = await searchKnowledge(
        { database: database.kysely, embedder, corpora },
        { workspaceId: workspace.id, question: text, audience, documentIds: document_ids ?? null },
      );
      const { writer } = await withOwnerModels(runtime, workspace.owner, workspace.settings.model ?? null);
      const { ranked } = await rerankPassages({ reranker, passageReader }, found, {
        hasWriter: writer !== null,
      });
      return { results: ranked.slice(0, top_k).map(presentResult) };
    },
  );
}

function presentResult(found: RankedChunk<FoundPassage>): z.output<typeof resultSchema> {
  const { bm25, coverage, cosine, fused } = found.parts;
  return {
    document_id: found.documentId,
    chunk_id: found.chunkId,
    title: found.title,
    url: found.url,
    chunk: found.body,
    score: roundScore(found.score),
    read: found.unitShares !== undefined,
    parts: {
      bm25: roundScore(bm25),
      coverage: roundScore(coverage),
      cosine: roundScore(cosine),
      fused: roundScore(fused),
    },
  };
}
