import { z } from 'zod';
import {
  type CountedConversation,
  countedKinds,
  listCounted,
} from '../../../core/insights/counted-conversations.ts';
import { outcomes } from '../../../core/insights/outcomes.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { needs } from '../../plugins/operator-access.ts';
import { pageQuerySchema, paginationSchema, presentPagination } from '../../schemas/pagination.ts';
import { errorResponses } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute, workspaceParamsSchema } from '../operator-route.ts';
import { presentRange, rangeSchema, readScope, scopeQuerySchema } from './request-scope.ts';

const countedSchema = z
  .object({
    id: z.string(),
    channel: z.string(),
    customer: z.string().nullable(),
    question: z.string().meta({ description: 'The first message, at most 200 characters.' }),
    started_at: z.iso.datetime(),
    ended_at: z.iso.datetime(),
    outcome: z.enum(outcomes).nullable().meta({ description: 'Null while it may still go on.' }),
  })
  .meta({ id: 'CountedConversation' });

const listSchema = {
  ...operatorRoute,
  summary: 'List the conversations behind a number of the insights',
  operationId: 'listCountedConversations',
  description:
    'Lists the conversations that a number counts, under the same range and filters, latest end first. ended and open: of the outcomes. asked, answered, thumbs_up, thumbs_down and failed_over: with such a question in the range. handed_over, replied and solved: passed to people in the range. rating_asked and rated: ended in the range. A conversation with several episodes is listed for each.',
  params: workspaceParamsSchema,
  querystring: pageQuerySchema.extend(scopeQuerySchema.shape).extend({ counts: z.enum(countedKinds) }),
  response: {
    200: z.object({
      range: rangeSchema,
      conversations: z.array(countedSchema),
      pagination: paginationSchema,
    }),
    ...errorResponses('workspace_not_found', 'invalid_range', 'invalid_channel', 'invalid_language'),
  },
};

/** Registers the list behind the numbers of the insights. */
export function countedConversationRoutes(
  app: TypedApp,
  { database, clock }: Pick<Runtime, 'database' | 'clock'>,
): void {
  app.get('/insights/conversations', { schema: listSchema, ...needs('inbox:read') }, async (request) => {
    const { limit, cursor, counts: kind, ...query } = request.query;
    const scope = readScope(request, query, clock);
    const page = await listCounted(database.kysely, scope, { kind, page: { limit, cursor } });
    return {
      range: presentRange(scope),
      conversations: page.items.map(presentCounted),
      pagination: presentPagination(page),
    };
  });
}

function presentCounted({
  startedAt,
  endedAt,
  ...conversation
}: CountedConversation): z.output<typeof countedSchema> {
  return {
    ...conversation,
    started_at: startedAt.toISOString(),
    ended_at: endedAt.toISOString(),
  };
}
