import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  countOutcomes,
  countSatisfaction,
  findCoverage,
  measurePeople,
} from '../../../core/insights/episode-panels.ts';
import {
  breakDown,
  breakdowns,
  countCost,
  countDocuments,
  countQuestions,
} from '../../../core/insights/question-panels.ts';
import type { InsightScope } from '../../../core/insights/scope.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { needs } from '../../plugins/operator-access.ts';
import { errorResponses } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute, requestWorkspace, workspaceParamsSchema } from '../operator-route.ts';
import { presentRange, rangeSchema, readScope, scopeQuerySchema, timeZoneOf } from './request-scope.ts';

type Dependencies = Pick<Runtime, 'database' | 'clock'>;

/** Registers the panels of the insights. Each counts at most a year. */
export function insightPanelRoutes(app: TypedApp, dependencies: Dependencies): void {
  getCoverage(app, dependencies);
  getOutcomes(app, dependencies);
  getQuestions(app, dependencies);
  getBreakdown(app, dependencies);
  getDocuments(app, dependencies);
  getPeople(app, dependencies);
  getSatisfaction(app, dependencies);
  getCost(app, dependencies);
}

const route = { ...operatorRoute, params: workspaceParamsSchema };
const errors = errorResponses('workspace_not_found', 'invalid_range', 'invalid_channel', 'invalid_language');
const times = 'Half of them took at most p50 seconds, nine of ten at most p90. Null if there was none.';
const timesSchema = z
  .object({ count: z.int(), p50: z.number().nullable(), p90: z.number().nullable() })
  .meta({ id: 'InsightTimes', description: times });
const shareSchema = z
  .object({ share: z.number(), low: z.number(), high: z.number() })
  .meta({ id: 'InsightShare', description: 'A share with its 95 % interval, each 0 to 1.' })
  .nullable()
  .meta({ description: 'Null below 30: a share would say little.' });

function readRequest(
  request: FastifyRequest & { readonly query: z.output<typeof scopeQuerySchema> },
  { database, clock }: Dependencies,
): { readonly scope: InsightScope; readonly kysely: Runtime['database']['kysely'] } {
  return { scope: readScope(request, request.query, clock), kysely: database.kysely };
}

const coverageSchema = {
  ...route,
  summary: 'Show from when there are insights',
  operationId: 'getInsightCoverage',
  description: 'Conversations are counted every minute, a minute after their last change.',
  response: {
    200: z
      .object({
        since: z.iso.datetime().nullable().meta({ description: 'Null: nothing is counted yet.' }),
        counted_until: z.iso.datetime().nullable(),
        time_zone: z.string(),
      })
      .meta({ id: 'InsightCoverage' }),
    ...errorResponses('workspace_not_found'),
  },
};

function getCoverage(app: TypedApp, { database }: Dependencies): void {
  app.get('/insights', { schema: coverageSchema, ...needs('insights:read') }, async (request) => {
    const workspace = requestWorkspace.get(request);
    const { since, countedUntil } = await findCoverage(database.kysely, workspace.id);
    return {
      since: since?.toISOString() ?? null,
      counted_until: countedUntil?.toISOString() ?? null,
      time_zone: timeZoneOf(workspace),
    };
  });
}

const outcomesSchema = {
  ...route,
  summary: 'Count the outcomes of conversations',
  operationId: 'getInsightOutcomes',
  description:
    'Counts the conversations that ended in the range: with a resolution by a person, after a quiet day, or after a week in which nobody came. Each has one outcome. confirmed: answered, and the visitor said that it helped. assumed: answered, and the visitor left quietly. handed_over: a person solved it. unanswered: the last question got no answer. left: the visitor asked for a person and got none, rated the last answer down, or had asked the same before. A return within seven days moves a conversation; after a longer pause it counts again.',
  querystring: scopeQuerySchema,
  response: {
    200: z
      .object({
        range: rangeSchema,
        ended: z.int().meta({ description: 'The sum of the five outcomes.' }),
        confirmed: z.int(),
        assumed: z.int(),
        handed_over: z.int(),
        unanswered: z.int(),
        left: z.int(),
        open: z.int().meta({ description: 'Conversations of the range that may still go on.' }),
      })
      .meta({ id: 'InsightOutcomes' }),
    ...errors,
  },
};

function getOutcomes(app: TypedApp, dependencies: Dependencies): void {
  app.get('/insights/outcomes', { schema: outcomesSchema, ...needs('insights:read') }, async (request) => {
    const { scope, kysely } = readRequest(request, dependencies);
    const { ended, counts, open } = await countOutcomes(kysely, scope);
    return { range: presentRange(scope), ended, ...counts, open };
  });
}

const questionsSchema = {
  ...route,
  summary: 'Count the questions of each day by confidence',
  operationId: 'getInsightQuestions',
  description:
    'Counts the questions that the engine was asked. Small talk, wishes for a person and messages to people are none. An answer that says it is unsure does not count as answered.',
  querystring: scopeQuerySchema,
  response: {
    200: z
      .object({
        range: rangeSchema,
        days: z.array(z.object({ day: z.iso.date(), high: z.int(), medium: z.int(), low: z.int() })),
        asked: z.int(),
        answered: z.int(),
        answered_share: shareSchema,
      })
      .meta({ id: 'InsightQuestions' }),
    ...errors,
  },
};

function getQuestions(app: TypedApp, dependencies: Dependencies): void {
  app.get('/insights/questions', { schema: questionsSchema, ...needs('insights:read') }, async (request) => {
    const { scope, kysely } = readRequest(request, dependencies);
    const { days, asked, answered, share } = await countQuestions(kysely, scope);
    return { range: presentRange(scope), days: [...days], asked, answered, answered_share: share };
  });
}

const breakdownSchema = {
  ...route,
  summary: 'Count the questions by channel, language, audience or hour',
  operationId: 'getInsightBreakdown',
  description: 'Counts the questions of the range by one property, the most frequent first; hours in order.',
  querystring: scopeQuerySchema.extend({ by: z.enum(breakdowns) }),
  response: {
    200: z
      .object({
        range: rangeSchema,
        rows: z.array(
          z.object({
            key: z.string().meta({ description: 'The value that the filter of this name takes.' }),
            asked: z.int(),
            answered: z.int(),
          }),
        ),
      })
      .meta({ id: 'InsightBreakdown' }),
    ...errors,
  },
};

function getBreakdown(app: TypedApp, dependencies: Dependencies): void {
  app.get('/insights/breakdown', { schema: breakdownSchema, ...needs('insights:read') }, async (request) => {
    const { by, ...query } = request.query;
    const scope = readScope(request, query, dependencies.clock);
    const rows = await breakDown(dependencies.database.kysely, scope, by);
    return { range: presentRange(scope), rows: [...rows] };
  });
}

const documentFields = { id: z.string(), title: z.string() };
const documentsSchema = {
  ...route,
  summary: 'Count the answers by the documents that they rest on',
  operationId: 'getInsightDocuments',
  description: 'Returns the ten most used documents, and how many no answer of the range rests on.',
  querystring: scopeQuerySchema,
  response: {
    200: z
      .object({
        range: rangeSchema,
        used: z.array(
          z.object({
            ...documentFields,
            answers: z.int(),
            thumbs_up: z.int(),
            thumbs_down: z.int(),
          }),
        ),
        documents: z.int().meta({ description: 'All documents that can be answered from.' }),
        unused_count: z.int(),
        unused: z.array(z.object(documentFields)).meta({ description: 'The ten oldest unused ones.' }),
      })
      .meta({ id: 'InsightDocuments' }),
    ...errors,
  },
};

function getDocuments(app: TypedApp, dependencies: Dependencies): void {
  app.get('/insights/documents', { schema: documentsSchema, ...needs('insights:read') }, async (request) => {
    const { scope, kysely } = readRequest(request, dependencies);
    const { used, total, unusedCount, unused } = await countDocuments(kysely, scope);
    return {
      range: presentRange(scope),
      used: used.map(({ up, down, ...row }) => ({ ...row, thumbs_up: up, thumbs_down: down })),
      documents: total,
      unused_count: unusedCount,
      unused: [...unused],
    };
  });
}

const peopleSchema = {
  ...route,
  summary: 'Measure how long people take',
  operationId: 'getInsightPeople',
  description:
    'Measures from the handover, of the conversations that were passed to people in the range, and of those only that had a reply or a solution.',
  querystring: scopeQuerySchema,
  response: {
    200: z
      .object({
        range: rangeSchema,
        handed_over: z.int(),
        first_reply: timesSchema,
        solved: timesSchema,
      })
      .meta({ id: 'InsightPeople' }),
    ...errors,
  },
};

function getPeople(app: TypedApp, dependencies: Dependencies): void {
  app.get('/insights/people', { schema: peopleSchema, ...needs('insights:read') }, async (request) => {
    const { scope, kysely } = readRequest(request, dependencies);
    const { handedOver, firstReply, solved } = await measurePeople(kysely, scope);
    const range = presentRange(scope);
    return { range, handed_over: handedOver, first_reply: { ...firstReply }, solved: { ...solved } };
  });
}

const satisfactionSchema = {
  ...route,
  summary: 'Count thumbs and ratings',
  operationId: 'getInsightSatisfaction',
  description:
    'Counts the thumbs at answers to questions of the range, and the ratings of conversations that ended in it, each beside how many could have been given.',
  querystring: scopeQuerySchema,
  response: {
    200: z
      .object({
        range: rangeSchema,
        asked: z.int(),
        thumbs_up: z.int(),
        thumbs_down: z.int(),
        rating_asked: z.int(),
        rated: z.int(),
        ratings: z.array(z.int()).meta({ description: 'How many gave one to five stars, in this order.' }),
      })
      .meta({ id: 'InsightSatisfaction' }),
    ...errors,
  },
};

function getSatisfaction(app: TypedApp, dependencies: Dependencies): void {
  app.get(
    '/insights/satisfaction',
    { schema: satisfactionSchema, ...needs('insights:read') },
    async (request) => {
      const { scope, kysely } = readRequest(request, dependencies);
      const { asked, up, down, ratingAsked, ratings } = await countSatisfaction(kysely, scope);
      return {
        range: presentRange(scope),
        ...{ asked, thumbs_up: up, thumbs_down: down, rating_asked: ratingAsked },
        rated: ratings.reduce((sum, count) => sum + count, 0),
        ratings: [...ratings],
      };
    },
  );
}

const costSchema = {
  ...route,
  summary: 'Count tokens and measure answers by model',
  operationId: 'getInsightCost',
  description:
    'Counts the answers to questions of the range by the model that wrote them. Answers from before this was stored have none.',
  querystring: scopeQuerySchema,
  response: {
    200: z
      .object({
        range: rangeSchema,
        models: z.array(
          z.object({
            model: z.string().nullable().meta({ description: 'Null: no model wrote, or it is not known.' }),
            answers: z.int(),
            tokens: z.number(),
            failovers: z.int().meta({ description: 'Answers for which another model had failed.' }),
            p50_ms: z.int().nullable().meta({ description: 'The time to the whole answer.' }),
            p95_ms: z.int().nullable(),
          }),
        ),
      })
      .meta({ id: 'InsightCost' }),
    ...errors,
  },
};

function getCost(app: TypedApp, dependencies: Dependencies): void {
  app.get('/insights/cost', { schema: costSchema, ...needs('insights:read') }, async (request) => {
    const { scope, kysely } = readRequest(request, dependencies);
    const models = await countCost(kysely, scope);
    return {
      range: presentRange(scope),
      models: models.map(({ p50, p95, ...row }) => ({ ...row, p50_ms: p50, p95_ms: p95 })),
    };
  });
}
