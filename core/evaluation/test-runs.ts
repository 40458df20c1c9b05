import { type Kysely, type Selectable, sql } from 'kysely';
import { z } from 'zod';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { newIdInOrder } from '../base/ids.ts';
import type { Logger } from '../base/log.ts';
import type { Page, PageRequest } from '../base/pagination.ts';
import type { JobQueue } from '../queue/queue.ts';
import { keysetPage } from '../storage/keyset-page.ts';
import { violatesConstraint } from '../storage/sql-errors.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { type Outcome, outcomes } from './judge.ts';
import type { TrialVerdict } from './live-answer.ts';
import type { TriedSet } from './run-slice.ts';
import type { PlayedTurn } from './scripts/judge-turn.ts';
import { parsePlayed } from './test-questions.ts';

export const runStates = ['running', 'finished', 'cancelled'] as const;
export const runReasons = ['hand', 'nightly', 'change_set'] as const;

/** All questions of a workspace, asked once. */
export interface TestRun {
  readonly id: string;
  readonly state: (typeof runStates)[number];
  readonly reason: (typeof runReasons)[number];
  readonly startedBy: string;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  /** The number of questions when it began. */
  readonly questions: number;
  readonly counts: { readonly [Name in Exclude<Outcome, 'error'>]: number };
}

/** An answer of a run, beside that of the run before. */
export interface TestResult {
  readonly questionId: string;
  readonly question: string;
  readonly outcome: Outcome;
  readonly because: string;
  readonly answer: string;
  readonly probability: number | null;
  readonly sourceTitle: string | null;
  /** The outcome in the finished run before; null if that did not ask it. */
  readonly before: Outcome | null;
  /** The turns of a scripted customer; empty for a question. */
  readonly turns: readonly PlayedTurn[];
}

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly queue: Pick<JobQueue, 'add'>;
  readonly log: Pick<Logger, 'warn'>;
}

interface NewRun {
  readonly workspaceId: string;
  readonly reason: TestRun['reason'];
  readonly startedBy: string;
  /** The change set that the run tries. */
  readonly tried?: TriedSet;
}

const stateSchema = z.enum(runStates);
const reasonSchema = z.enum(runReasons);
const outcomeSchema = z.enum(outcomes);
const RUNNING = 'test_run_running';

/** Runs of the test questions of a workspace. */
export class TestRuns {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Starts a run. Throws `no_test_questions` and `test_running`. */
  async start({ workspaceId, reason, startedBy, tried }: NewRun): Promise<TestRun> {
    const { database, clock } = this.#dependencies;
    const { count } = await database
      .selectFrom('test_question')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('workspace_id', '=', workspaceId)
      .executeTakeFirstOrThrow();
    if (Number(count) === 0) throw new AppError('no_test_questions');
    const inserted = database
      .insertInto('test_run')
      .values({
        id: newIdInOrder('trun'),
        workspace_id: workspaceId,
        state: 'running',
        ...{ reason, started_by: startedBy, created_at: clock.now() },
        questions: Number(count),
        change_set_id: tried?.changeSetId ?? null,
        change_set_revision: tried?.revision ?? null,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const row = await inserted.catch((error: unknown) => {
      throw violatesConstraint(error, RUNNING) ? new AppError('test_running', { cause: error }) : error;
    });
    await wakeTestRun(this.#dependencies, row);
    return fromRow(row);
  }

  /** Lists the runs of the live workspace, newest first. Throws `invalid_cursor`. */
  async list(workspaceId: string, page: PageRequest): Promise<Page<TestRun>> {
    const query = this.#dependencies.database
      .selectFrom('test_run')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('change_set_id', 'is', null);
    const list = `test runs ${workspaceId}`;
    const { items, nextCursor } = await keysetPage(query, { list, latest: 'created_at' }, page);
    return { items: items.map(fromRow), nextCursor };
  }

  /** Returns a run with its results, those that changed first. Throws `test_run_not_found`. */
  async get(
    workspaceId: string,
    id: string,
  ): Promise<{ readonly run: TestRun; readonly results: readonly TestResult[] }> {
    const { database } = this.#dependencies;
    const run = await database
      .selectFrom('test_run')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .executeTakeFirst();
    if (run === undefined) throw new AppError('test_run_not_found');
    const earlier = database
      .selectFrom('test_run')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('state', '=', 'finished')
      .where('change_set_id', 'is', null)
      .where('created_at', '<', run.created_at)
      .orderBy('created_at', 'desc')
      .limit(1);
    const rows = await database
      .selectFrom('test_result')
      .innerJoin('test_question', 'test_question.id', 'test_result.question_id')
      .leftJoin('test_result as before', (join) =>
        join.onRef('before.question_id', '=', 'test_result.question_id').on('before.run_id', '=', earlier),
      )
      .selectAll('test_result')
      .select(['test_question.question', 'before.outcome as before_outcome'])
      .where('test_result.run_id', '=', id)
      .orderBy(
        sql`before.outcome is null or before.outcome = test_result.outcome,
            test_result.outcome in ('right', 'unsure'), test_result.question_id`,
      )
      .execute();
    return {
      run: fromRow(run),
      results: rows.map((row) => ({
        questionId: row.question_id,
        question: row.question,
        outcome: outcomeSchema.parse(row.outcome),
        because: row.because,
        answer: row.answer,
        probability: row.probability,
        sourceTitle: row.source_title,
        before: outcomeSchema.nullable().parse(row.before_outcome),
        turns: parsePlayed(row.turns),
      })),
    };
  }

  /**
   * Stores the word of a person on the difference that a change set makes to an answer; null takes it back. Throws
   * `test_run_not_found` if the newest run of the set did not ask the question.
   */
  async judgeTrial(
    workspaceId: string,
    { changeSetId, questionId }: { readonly changeSetId: string; readonly questionId: string },
    verdict: TrialVerdict | null,
  ): Promise<void> {
    const { database } = this.#dependencies;
    const newest = database
      .selectFrom('test_run')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('change_set_id', '=', changeSetId)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(1);
    const { numUpdatedRows } = await database
      .updateTable('test_result')
      .set({ verdict })
      .where('run_id', '=', newest)
      .where('question_id', '=', questionId)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new AppError('test_run_not_found');
  }

  /** Ends a run that is going; one that has ended stays as it is. Throws `test_run_not_found`. */
  async cancel(workspaceId: string, id: string): Promise<void> {
    const { database, clock } = this.#dependencies;
    await database
      .updateTable('test_run')
      .set({ state: 'cancelled', finished_at: clock.now() })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .where('state', '=', 'running')
      .execute();
    await this.get(workspaceId, id);
  }
}

/** Queues the next slice of a run. It never rejects: maintenance queues lost ones. */
export async function wakeTestRun(
  { queue, log }: Pick<Dependencies, 'queue' | 'log'>,
  { id, slice }: { readonly id: string; readonly slice: number },
  again = '',
): Promise<void> {
  try {
    await queue.add('evaluate', `${id}-${slice}${again}`, { runId: id, slice });
  } catch (err) {
    log.warn({ err, run: id }, 'queueing a test run failed, retried soon');
  }
}

const MOST_AT_ONCE = 50;

/** Queues the runs again that no process has answered questions of since a time: their jobs were lost. */
export async function requeueTestRuns(dependencies: Dependencies, before: Date): Promise<void> {
  const rows = await dependencies.database
    .selectFrom('test_run')
    .select(['id', 'slice'])
    .where('state', '=', 'running')
    .where('created_at', '<', before)
    .where('held_until', '<', before)
    .orderBy('created_at')
    .limit(MOST_AT_ONCE)
    .execute();
  for (const row of rows) await wakeTestRun(dependencies, row, `-${before.getTime()}`);
}

/** Starts the run of the night (from 2 to 5 o'clock UTC) for workspaces that have questions and no run since. */
export async function startNightlyRuns(dependencies: Dependencies): Promise<void> {
  const now = dependencies.clock.now();
  if (now.getUTCHours() < 2 || now.getUTCHours() >= 5) return;
  const since = new Date(now);
  since.setUTCHours(2, 0, 0, 0);
  const due = await dependencies.database
    .selectFrom('workspace')
    .select('id')
    .where('deleted_at', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('test_question').select('id').whereRef('test_question.workspace_id', '=', 'workspace.id'),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('test_run')
            .select('id')
            .whereRef('test_run.workspace_id', '=', 'workspace.id')
            .where(({ or, eb }) => or([eb('created_at', '>=', since), eb('state', '=', 'running')])),
        ),
      ),
    )
    .limit(MOST_AT_ONCE)
    .execute();
  const runs = new TestRuns(dependencies);
  for (const { id } of due) {
    const run = { workspaceId: id, reason: 'nightly', startedBy: 'schedule' } as const;
    await runs.start(run).catch((error: unknown) => {
      // Another person has started one or deleted the last question.
      if (!(error instanceof AppError)) throw error;
    });
  }
}

function fromRow(row: Selectable<Tables['test_run']>): TestRun {
  return {
    id: row.id,
    state: stateSchema.parse(row.state),
    reason: reasonSchema.parse(row.reason),
    startedBy: row.started_by,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
    questions: row.questions,
    counts: {
      right: row.right_count,
      unsure: row.unsure_count,
      wrong: row.wrong_count,
      refused: row.refused_count,
    },
  };
}
