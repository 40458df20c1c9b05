import { z } from 'zod';
import { countOutcomes, countSatisfaction, measurePeople } from '../../../core/insights/episode-panels.ts';
import { outcomes } from '../../../core/insights/outcomes.ts';
import {
  breakDown,
  countCost,
  countDocuments,
  countQuestions,
} from '../../../core/insights/question-panels.ts';
import type { InsightScope } from '../../../core/insights/scope.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { needs } from '../../plugins/operator-access.ts';
import { renderCsvRow } from '../../schemas/csv.ts';
import { errorResponses } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute, workspaceParamsSchema } from '../operator-route.ts';
import { readScope, scopeQuerySchema } from './request-scope.ts';

const panels = [
  'outcomes',
  'questions',
  'channel',
  'language',
  'audience',
  'hour',
  'documents',
  'people',
  'satisfaction',
  'cost',
] as const;

type Panel = (typeof panels)[number];
type Cell = string | number | null;

const exportSchema = {
  ...operatorRoute,
  summary: 'Export a panel of the insights as CSV',
  operationId: 'exportInsights',
  description: 'Returns the numbers of a panel under a range and filters, with a row of names first.',
  params: workspaceParamsSchema,
  querystring: scopeQuerySchema.extend({ panel: z.enum(panels) }),
  response: {
    200: {
      description: 'The panel as CSV in UTF-8.',
      content: { 'text/csv': { schema: z.unknown().meta({ type: 'string' }) } },
    },
    ...errorResponses('workspace_not_found', 'invalid_range', 'invalid_channel', 'invalid_language'),
  },
};

/** Registers `GET …/insights.csv` below a workspace. */
export function insightExportRoutes(
  app: TypedApp,
  { database, clock }: Pick<Runtime, 'database' | 'clock'>,
): void {
  app.get('/insights.csv', { schema: exportSchema, ...needs('insights:read') }, async (request, reply) => {
    const { panel, ...query } = request.query;
    const scope = readScope(request, query, clock);
    const rows = await toRows(database.kysely, scope, panel);
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${panel}-${scope.from}-${scope.to}.csv"`)
      .header('cache-control', 'no-store')
      .send(rows.map((cells) => renderCsvRow(cells.map((cell) => String(cell ?? '')))).join(''));
  });
}

async function toRows(
  database: Runtime['database']['kysely'],
  scope: InsightScope,
  panel: Panel,
): Promise<readonly (readonly Cell[])[]> {
  switch (panel) {
    case 'outcomes': {
      const { counts, ended, open } = await countOutcomes(database, scope);
      const rows = outcomes.map((name) => [name, counts[name]]);
      return [['outcome', 'conversations'], ...rows, ['ended', ended], ['open', open]];
    }
    case 'questions': {
      const { days } = await countQuestions(database, scope);
      return [
        ['day', 'high', 'medium', 'low'],
        ...days.map((row) => [row.day, row.high, row.medium, row.low]),
      ];
    }
    case 'documents': {
      const { used, unused } = await countDocuments(database, scope);
      const rows = used.map(({ id, title, answers, up, down }) => [id, title, answers, up, down]);
      const others = unused.map(({ id, title }) => [id, title, 0, 0, 0]);
      return [['document_id', 'title', 'answers', 'thumbs_up', 'thumbs_down'], ...rows, ...others];
    }
    case 'people': {
      const { handedOver, firstReply, solved } = await measurePeople(database, scope);
      return [
        ['what', 'conversations', 'p50_seconds', 'p90_seconds'],
        ['handed_over', handedOver, null, null],
        ['first_reply', firstReply.count, firstReply.p50, firstReply.p90],
        ['solved', solved.count, solved.p50, solved.p90],
      ];
    }
    case 'satisfaction': {
      const { asked, up, down, ratingAsked, ratings } = await countSatisfaction(database, scope);
      const stars = ratings.map((count, index) => [`stars_${index + 1}`, count]);
      const thumbs = [
        ['questions', asked],
        ['thumbs_up', up],
        ['thumbs_down', down],
        ['rating_asked', ratingAsked],
      ];
      return [['what', 'count'], ...thumbs, ...stars];
    }
    case 'cost': {
      const models = await countCost(database, scope);
      const rows = models.map((row) => [row.model, row.answers, row.tokens, row.failovers, row.p50, row.p95]);
      return [['model', 'answers', 'tokens', 'failovers', 'p50_ms', 'p95_ms'], ...rows];
    }
    default: {
      const rows = await breakDown(database, scope, panel);
      return [
        [panel, 'asked', 'answered'],
        ...rows.map(({ key, asked, answered }) => [key, asked, answered]),
      ];
    }
  }
}
