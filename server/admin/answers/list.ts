import { z } from 'zod';
import { type ListedAnswer, listAnswers } from '../../../core/answers/list-answers.ts';
import { verdictSchema } from '../../../core/answers/reviews.ts';
import { decisionRecordSchema } from '../../../core/contract/answer.ts';
import { opinions } from '../../../core/contract/conversation-values.ts';
import { answerPaths } from '../../../core/contract/trace/answer-trace.ts';
import type { StorageServices } from '../../../core/runtime/open-storage.ts';
import { needs } from '../../plugins/operator-access.ts';
import { boundedString, timeSchema } from '../../schemas/fields.ts';
import { pageQuerySchema, paginationSchema, presentPagination } from '../../schemas/pagination.ts';
import { errorResponses } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute, requestWorkspace, workspaceParamsSchema } from '../operator-route.ts';

const confidences = ['high', 'medium', 'low'] as const;
const tiers = ['answer', 'maybe', 'none'] as const;

const filterSchema = z.object({
  confidence: z.enum(confidences).optional(),
  tier: z.enum(tiers).optional(),
  act: decisionRecordSchema.shape.act.optional().meta({ description: 'What was decided to do.' }),
  channel: boundedString({ min: 1, max: 64 }).optional().meta({ description: 'The kind of the channel.' }),
  feedback: z
    .enum([...opinions, 'none'])
    .optional()
    .meta({ description: "The visitor's rating." }),
  reviewed: z
    .enum([...verdictSchema.options, 'any', 'none'])
    .optional()
    .meta({ description: 'How people of the workspace judged the answer.' }),
  q: boundedString({ min: 1, max: 200 }, z.string().trim())
    .optional()
    .meta({ description: 'Returns answers that contain these words, or whose question does.' }),
  since: timeSchema.optional().meta({ description: 'Returns answers at or after this time.' }),
  until: timeSchema.optional().meta({ description: 'Returns answers before this time.' }),
  to_review: z.enum(['true', 'false']).default('false').meta({
    description:
      'With true, returns answers that nobody judged and that were disliked, are unsure or none, or were followed by a request for a person.',
  }),
});

const listedAnswerSchema = z
  .object({
    message_id: z.string(),
    conversation_id: z.string(),
    at: z.iso.datetime(),
    question: z.string().nullable().meta({ description: 'The first 300 characters.' }),
    answer: z.string().meta({ description: 'The first 300 characters.' }),
    channel: z.string(),
    confidence: z.enum(confidences).nullable(),
    tier: z.enum(tiers).nullable(),
    score: z.number().nullable(),
    act: decisionRecordSchema.shape.act.nullable(),
    path: z.enum(answerPaths).nullable().meta({ description: 'Null without a trace.' }),
    latency_ms: z.int().nullable(),
    feedback: z.enum(opinions).nullable(),
    feedback_comment: z.string().nullable(),
    verdict: verdictSchema.nullable(),
  })
  .meta({ id: 'ListedAnswer' });

const listSchema = {
  ...operatorRoute,
  operationId: 'listAnswers',
  summary: 'List the answers of a workspace, newest first',
  description:
    'Returns questions and answers of all conversations in pages, with how sure the answers were and what visitors and people of the workspace thought of them.',
  params: workspaceParamsSchema,
  querystring: pageQuerySchema.extend(filterSchema.shape),
  response: {
    200: z.object({ answers: z.array(listedAnswerSchema), pagination: paginationSchema }),
    ...errorResponses('workspace_not_found'),
  },
};

/** Registers the log of answers below a workspace. */
export function answerLogRoutes(app: TypedApp, { database }: StorageServices): void {
  app.get('/answers', { schema: listSchema, ...needs('inbox:read') }, async (request) => {
    const { limit, cursor, q: search, to_review: toReview, ...filters } = request.query;
    const wanted = { ...filters, search, toReview: toReview === 'true' };
    const { id: workspaceId } = requestWorkspace.get(request);
    const page = await listAnswers(database.kysely, { workspaceId, ...wanted }, { limit, cursor });
    return { answers: page.items.map(presentListed), pagination: presentPagination(page) };
  });
}

function presentListed({ id, created_at: at, ...answer }: ListedAnswer): z.output<typeof listedAnswerSchema> {
  return { message_id: id, at: at.toISOString(), ...answer };
}
