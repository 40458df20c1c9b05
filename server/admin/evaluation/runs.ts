import { z } from 'zod';
import { outcomes } from '../../../core/evaluation/judge.ts';
import {
  runReasons,
  runStates,
  type TestResult,
  type TestRun,
  TestRuns,
} from '../../../core/evaluation/test-runs.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { needs, requestActor } from '../../plugins/operator-access.ts';
import { pageQuerySchema, paginationSchema, presentPagination } from '../../schemas/pagination.ts';
import { errorResponses, noContentSchema, withErrorCode } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute, requestWorkspace, workspaceParamsSchema } from '../operator-route.ts';
import { playedTurnsSchema, presentPlayed } from './questions.ts';

/** Registers the routes for runs of the test questions. */
export function testRunRoutes(app: TypedApp, { database, clock, queue, log }: Runtime): void {
  const runs = new TestRuns({ database: database.kysely, clock, queue, log });
  startRun(app, runs);
  listRuns(app, runs);
  getRun(app, runs);
  cancelRun(app, runs);
}

const testRunSchema = z
  .object({
    id: z.string(),
    state: z.enum(runStates),
    reason: z.enum(runReasons),
    started_by: z.string(),
    created_at: z.iso.datetime(),
    finished_at: z.iso.datetime().nullable(),
    questions: z.int().meta({ description: 'The number of questions when the run began.' }),
    right: z.int(),
    unsure: z.int().meta({ description: 'Right answers that said they are unsure.' }),
    wrong: z.int(),
    refused: z.int().meta({ description: 'Questions that have an answer and got none.' }),
  })
  .meta({ id: 'TestRun' });

const testResultSchema = z
  .object({
    question_id: z.string(),
    question: z.string(),
    outcome: z.enum(outcomes),
    because: z.string(),
    answer: z.string().meta({ description: 'At most 2,000 characters.' }),
    probability: z.number().nullable(),
    source_title: z.string().nullable(),
    before: z.enum(outcomes).nullable().meta({
      description: 'The outcome in the finished run before. Null: that did not ask the question.',
    }),
    turns: playedTurnsSchema,
  })
  .meta({ id: 'TestResult' });

function presentRun(run: TestRun): z.output<typeof testRunSchema> {
  return {
    id: run.id,
    state: run.state,
    reason: run.reason,
    started_by: run.startedBy,
    created_at: run.createdAt.toISOString(),
    finished_at: run.finishedAt?.toISOString() ?? null,
    questions: run.questions,
    ...run.counts,
  };
}

function presentResult(result: TestResult): z.output<typeof testResultSchema> {
  const { questionId, sourceTitle, turns, ...rest } = result;
  return { ...rest, question_id: questionId, source_title: sourceTitle, turns: presentPlayed(turns) };
}

const runParamsSchema = workspaceParamsSchema.extend({
  run_id: z.string().refine((id) => /^\w+$/.test(id), withErrorCode('test_run_not_found')),
});

const startRunSchema = {
  ...operatorRoute,
  summary: 'Ask all test questions',
  operationId: 'startTestRun',
  description:
    'Asks the test questions of the workspace in the background, on trial: nothing is counted, sent or fired. Every night, a run starts by itself.',
  params: workspaceParamsSchema,
  response: {
    202: testRunSchema,
    ...errorResponses('workspace_not_found', 'no_test_questions', 'test_running'),
  },
};

function startRun(app: TypedApp, runs: TestRuns): void {
  app.post('/test-runs', { schema: startRunSchema, ...needs('knowledge:write') }, async (request, reply) => {
    const workspaceId = requestWorkspace.get(request).id;
    const startedBy = requestActor.get(request).identity.name;
    const run = await runs.start({ workspaceId, reason: 'hand', startedBy });
    return reply.code(202).send(presentRun(run));
  });
}

const listRunsSchema = {
  ...operatorRoute,
  summary: 'List the runs of the test questions, newest first',
  operationId: 'listTestRuns',
  description: 'Returns the runs in pages. The counts of a run that is going grow.',
  params: workspaceParamsSchema,
  querystring: pageQuerySchema,
  response: {
    200: z.object({ runs: z.array(testRunSchema), pagination: paginationSchema }),
    ...errorResponses('workspace_not_found'),
  },
};

function listRuns(app: TypedApp, runs: TestRuns): void {
  app.get('/test-runs', { schema: listRunsSchema, ...needs('knowledge:read') }, async (request) => {
    const page = await runs.list(requestWorkspace.get(request).id, request.query);
    return { runs: page.items.map(presentRun), pagination: presentPagination(page) };
  });
}

const getRunSchema = {
  ...operatorRoute,
  summary: 'Show a run of the test questions',
  operationId: 'getTestRun',
  description: 'Returns the run with its results: first those that differ from the run before.',
  params: runParamsSchema,
  response: {
    200: testRunSchema.extend({ results: z.array(testResultSchema) }).meta({ id: 'TestRunResults' }),
    ...errorResponses('workspace_not_found', 'test_run_not_found'),
  },
};

function getRun(app: TypedApp, runs: TestRuns): void {
  app.get('/test-runs/:run_id', { schema: getRunSchema, ...needs('knowledge:read') }, async (request) => {
    const { run, results } = await runs.get(requestWorkspace.get(request).id, request.params.run_id);
    return { ...presentRun(run), results: results.map(presentResult) };
  });
}

const cancelRunSchema = {
  ...operatorRoute,
  summary: 'Cancel a run of the test questions',
  operationId: 'cancelTestRun',
  description: 'Ends a run that is going. One that has ended stays as it is.',
  params: runParamsSchema,
  response: { 204: noContentSchema, ...errorResponses('workspace_not_found', 'test_run_not_found') },
};

function cancelRun(app: TypedApp, runs: TestRuns): void {
  app.post(
    '/test-runs/:run_id/cancel',
    { schema: cancelRunSchema, ...needs('knowledge:write') },
    async (request, reply) => {
      await runs.cancel(requestWorkspace.get(request).id, request.params.run_id);
      return reply.code(204).send();
    },
  );
}
