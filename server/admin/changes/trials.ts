import { z } from 'zod';
import { AppError } from '../../../core/base/errors.ts';
import { ChangeSets } from '../../../core/changes/change-sets.ts';
import { readTrial } from '../../../core/changes/trial-results.ts';
import { startTrial } from '../../../core/changes/trial-runs.ts';
import { trialVerdicts } from '../../../core/evaluation/live-answer.ts';
import { TestRuns } from '../../../core/evaluation/test-runs.ts';
import { createDocumentWaker } from '../../../core/knowledge/indexing/ingest-jobs.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { needs } from '../../plugins/operator-access.ts';
import { errorResponses, withErrorCode } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute } from '../operator-route.ts';
import { targetOf } from './routes.ts';
import { presentTrial, setParamsSchema, trialSchema } from './schema.ts';

/** Registers the trials of change sets: the test questions asked with a set and without it. */
export function trialRoutes(app: TypedApp, runtime: Runtime): void {
  const { queue, log, clock } = runtime;
  const database = runtime.database.kysely;
  const sets = new ChangeSets({ ...runtime, database, wake: createDocumentWaker({ queue, log }) });
  const runs = new TestRuns({ database, clock, queue, log });
  startRoute(app, { runtime, sets, runs });
  judgeRoute(app, { runtime, sets, runs });
}

interface Services {
  readonly runtime: Runtime;
  readonly sets: ChangeSets;
  readonly runs: TestRuns;
}

function startRoute(app: TypedApp, { runtime, sets, runs }: Services): void {
  const schema = {
    ...operatorRoute,
    summary: 'Try a change set',
    operationId: 'tryChangeSet',
    description:
      'Asks each test question twice in the background, as the workspace is and as it is with the set, on trial: nothing is counted, sent or fired.',
    params: setParamsSchema,
    response: {
      202: trialSchema,
      ...errorResponses(
        'workspace_not_found',
        'change_set_not_found',
        'change_set_closed',
        'change_set_empty',
        'change_set_not_ready',
        'change_set_too_large',
        'no_test_questions',
        'test_running',
      ),
    },
  };
  app.post(
    '/change-sets/:change_set_id/trials',
    { schema, ...needs('changes:write') },
    async (request, reply) => {
      const { workspaceId, id, actor } = targetOf(request);
      const set = await sets.get(workspaceId, id);
      const database = runtime.database.kysely;
      await startTrial({ database, runs }, { set, actor, at: runtime.clock.now() });
      const trial = await readTrial(database, set);
      if (trial === null) throw new AppError('change_set_not_found');
      return reply.code(202).send(presentTrial(trial));
    },
  );
}

function judgeRoute(app: TypedApp, { runtime, sets, runs }: Services): void {
  const schema = {
    ...operatorRoute,
    summary: 'Judge an answer that a change set changes',
    operationId: 'judgeTrialAnswer',
    description:
      'Stores the word of a person on the difference: `better` and `fine` accept it, `worse` keeps the set from being green. null takes the word back.',
    params: setParamsSchema.extend({
      question_id: z.string().refine((id) => /^\w+$/.test(id), withErrorCode('test_question_not_found')),
    }),
    body: z.object({ verdict: z.enum(trialVerdicts).nullable() }),
    response: {
      200: trialSchema,
      ...errorResponses('workspace_not_found', 'change_set_not_found', 'test_run_not_found'),
    },
  };
  app.put(
    '/change-sets/:change_set_id/answers/:question_id',
    { schema, ...needs('changes:write') },
    async (request) => {
      const { workspaceId, id } = targetOf(request);
      const set = await sets.get(workspaceId, id);
      const answer = { changeSetId: id, questionId: request.params.question_id };
      await runs.judgeTrial(workspaceId, answer, request.body.verdict);
      const trial = await readTrial(runtime.database.kysely, set);
      if (trial === null) throw new AppError('test_run_not_found');
      return presentTrial(trial);
    },
  );
}
