import type { Kysely } from 'kysely';
import { z } from 'zod';
import { outcomes } from '../evaluation/judge.ts';
import {
  type LiveAnswer,
  liveAnswerSchema,
  type TrialVerdict,
  trialVerdicts,
} from '../evaluation/live-answer.ts';
import { runStates } from '../evaluation/test-runs.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { ChangeSet } from './change-set.ts';
import { compareAnswers, type Difference, isAccepted } from './difference.ts';

/** The newest run over a set. */
export interface TrialRun {
  readonly id: string;
  readonly state: (typeof runStates)[number];
  readonly startedBy: string;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  readonly questions: number;
  /** Whether the set has not been changed since. */
  readonly isCurrent: boolean;
}

/** A question with the answers before and after. */
export interface TrialResult {
  readonly questionId: string;
  readonly question: string;
  readonly difference: Difference;
  readonly verdict: TrialVerdict | null;
  readonly live: LiveAnswer;
  readonly trial: LiveAnswer;
}

export interface TrialSummary {
  readonly run: TrialRun;
  readonly counts: Readonly<Record<Difference, number>>;
  /** Whether the run is finished and current, and no difference stands in the way of publishing. */
  readonly isGreen: boolean;
  /** Those that differ first. */
  readonly results: readonly TrialResult[];
}

/** Returns the newest run over a set with its results; null if it was never tried. */
export async function readTrial(database: Kysely<Tables>, set: ChangeSet): Promise<TrialSummary | null> {
  const row = await database
    .selectFrom('test_run')
    .selectAll()
    .where('workspace_id', '=', set.workspaceId)
    .where('change_set_id', '=', set.id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return null;
  const run = {
    ...{ id: row.id, startedBy: row.started_by, createdAt: row.created_at, finishedAt: row.finished_at },
    ...{ questions: row.questions, isCurrent: row.change_set_revision === set.revision },
    state: z.enum(runStates).parse(row.state),
  };
  const results = await loadResults(database, { runId: row.id, workspaceId: set.workspaceId });
  const count = (kind: Difference) => results.filter(({ difference }) => difference === kind).length;
  const isDone = run.state === 'finished' && run.isCurrent && results.length > 0;
  return {
    run,
    counts: {
      same: count('same'),
      better: count('better'),
      worse: count('worse'),
      differs: count('differs'),
    },
    isGreen: isDone && results.every(({ difference, verdict }) => isAccepted(difference, verdict)),
    results: results.toSorted((one, other) => order(one) - order(other)),
  };
}

/** Returns whether a set may be published in a workspace that asks for a green one. */
export async function isGreen(database: Kysely<Tables>, set: ChangeSet): Promise<boolean> {
  return (await readTrial(database, set))?.isGreen ?? false;
}

/** The differences in the order in which people look at them. */
function order({ difference }: TrialResult): number {
  return ['worse', 'differs', 'better', 'same'].indexOf(difference);
}

async function loadResults(
  database: Kysely<Tables>,
  { runId, workspaceId }: { readonly runId: string; readonly workspaceId: string },
): Promise<readonly TrialResult[]> {
  const rows = await database
    .selectFrom('test_result')
    .innerJoin('test_question', 'test_question.id', 'test_result.question_id')
    .selectAll('test_result')
    .select('test_question.question')
    .where('test_result.run_id', '=', runId)
    .where('test_question.workspace_id', '=', workspaceId)
    .where('test_result.live', 'is not', null)
    .orderBy('test_result.question_id')
    .execute();
  return rows.map((row) => {
    const live = liveAnswerSchema.parse(row.live);
    const { because, answer, tier, probability, source_title } = row;
    const outcome = z.enum(outcomes).parse(row.outcome);
    const trial = { outcome, because, answer, tier, probability, source_title, generated: live.generated };
    return {
      ...{ questionId: row.question_id, question: row.question, live, trial },
      verdict: z.enum(trialVerdicts).nullable().parse(row.verdict),
      difference: compareAnswers(toCompared(live), toCompared(trial), live.generated),
    };
  });
}

function toCompared({ outcome, tier, answer, source_title }: LiveAnswer) {
  return { outcome, tier, text: answer, sourceTitle: source_title };
}
