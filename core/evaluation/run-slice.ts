import { type Kysely, type Selectable, sql } from 'kysely';
import type { Rehearsal, RehearsalDependencies } from '../answering/rehearsal.ts';
import { AppError } from '../base/errors.ts';
import { truncateText } from '../base/text.ts';
import { roundScore } from '../contract/answer.ts';
import type { SearchDependencies } from '../knowledge/search.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { Workspace, Workspaces } from '../workspaces/workspaces.ts';
import { failedAnswer, judge, type Outcome, type Verdict } from './judge.ts';
import type { LiveAnswer } from './live-answer.ts';
import { rehearseInTime } from './rehearse-in-time.ts';
import { judgeScript, type PlayedTurn } from './scripts/judge-turn.ts';
import { playScript, usedPassages } from './scripts/play-script.ts';
import { parseTurns, toExpectation } from './test-questions.ts';

interface Dependencies extends RehearsalDependencies {
  readonly workspaces: Pick<Workspaces, 'get'>;
  /** Opens what a run tries. Null if it was changed or removed meanwhile: the run is then cancelled. */
  readonly openTrial?: (run: TriedSet, workspace: Workspace) => Promise<Trial | null>;
}

/** The change set that a run tries, at the revision at which it was started. */
export interface TriedSet {
  readonly changeSetId: string;
  readonly revision: number;
}

/** The workspace and the documents of a change set. */
export interface Trial {
  readonly workspace: Workspace;
  readonly corpora: SearchDependencies['corpora'];
}

/** After it, the run waits for its next turn. */
const SLICE_MS = 10_000;
/** Longer than any answer takes. A process that dies lets go of the run after it. */
const LEASE_MS = 120_000;
const MAX_ANSWER = 2_000;

type QuestionRow = Selectable<Tables['test_question']>;

/**
 * Asks the next questions of a run. Returns the number of the next slice if questions are left; null if the run has ended,
 * or another process has it.
 */
export async function runTestSlice(
  dependencies: Dependencies,
  { runId, signal }: { readonly runId: string; readonly signal: AbortSignal },
): Promise<number | null> {
  const { clock } = dependencies;
  const database = dependencies.database.kysely;
  const startedAt = clock.now().getTime();
  const run = await takeRun(database, runId, clock.now());
  if (run === null) return null;
  const workspace = await dependencies.workspaces.get(run.workspace_id).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'workspace_not_found') return null;
    throw error;
  });
  if (workspace === null) return null;
  const tried = toTriedSet(run);
  const trial = tried === null ? null : ((await dependencies.openTrial?.(tried, workspace)) ?? null);
  if (tried !== null && trial === null) {
    await cancelRun(database, run, clock.now());
    return null;
  }
  while (!signal.aborted && clock.now().getTime() - startedAt < SLICE_MS) {
    const question = await nextQuestion(database, run);
    if (question === null) {
      await finish(database, run.id, clock.now());
      return null;
    }
    await askOne(dependencies, { workspace, trial, question, runId, signal });
  }
  return letGo(database, runId);
}

/** Reserves a run that is going. Null if it has ended, or another process has it. */
async function takeRun(database: Kysely<Tables>, id: string, now: Date) {
  const row = await database
    .updateTable('test_run')
    .set({ held_until: new Date(now.getTime() + LEASE_MS) })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .where('held_until', '<=', now)
    .returning(['id', 'workspace_id', 'created_at', 'change_set_id', 'change_set_revision'])
    .executeTakeFirst();
  return row ?? null;
}

function toTriedSet(
  run: Pick<Selectable<Tables['test_run']>, 'change_set_id' | 'change_set_revision'>,
): TriedSet | null {
  const { change_set_id: changeSetId, change_set_revision: revision } = run;
  return changeSetId === null || revision === null ? null : { changeSetId, revision };
}

async function cancelRun(
  database: Kysely<Tables>,
  { id }: { readonly id: string },
  now: Date,
): Promise<void> {
  await database
    .updateTable('test_run')
    .set({ state: 'cancelled', finished_at: now, held_until: sql<Date>`'-infinity'` })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .execute();
}

/** Returns the number of the next slice; null if the run was cancelled. */
async function letGo(database: Kysely<Tables>, id: string): Promise<number | null> {
  const row = await database
    .updateTable('test_run')
    .set({ held_until: sql<Date>`'-infinity'`, slice: sql<number>`slice + 1` })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .returning('slice')
    .executeTakeFirst();
  return row?.slice ?? null;
}

async function nextQuestion(
  database: Kysely<Tables>,
  run: { readonly id: string; readonly workspace_id: string; readonly created_at: Date },
): Promise<QuestionRow | null> {
  const row = await database
    .selectFrom('test_question')
    .innerJoin('test_run', 'test_run.workspace_id', 'test_question.workspace_id')
    .selectAll('test_question')
    .where('test_run.id', '=', run.id)
    .where('test_run.state', '=', 'running')
    .where('test_question.workspace_id', '=', run.workspace_id)
    .where('test_question.created_at', '<=', run.created_at)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('test_result')
            .select('run_id')
            .where('run_id', '=', run.id)
            .whereRef('question_id', '=', 'test_question.id'),
        ),
      ),
    )
    .orderBy('test_question.id')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

interface Asking {
  readonly workspace: Workspace;
  /** Null: the live workspace is asked alone. */
  readonly trial: Trial | null;
  readonly question: QuestionRow;
  readonly runId: string;
  readonly signal: AbortSignal;
}

interface JudgedAnswer extends Omit<LiveAnswer, 'generated'> {
  readonly source_id: string | null;
  readonly isGenerated: boolean;
  /** The turns of a scripted customer; null for a question. */
  readonly played: readonly PlayedTurn[] | null;
}

async function askOne(
  dependencies: Dependencies,
  { workspace, trial, question, runId, signal }: Asking,
): Promise<void> {
  const { clock } = dependencies;
  const database = dependencies.database.kysely;
  const judgeIn = parseTurns(question.turns).length === 0 ? askAndJudge : playAndJudge;
  const live = await judgeIn(dependencies, { workspace, question, runId, signal });
  const tried =
    trial === null
      ? null
      : await judgeIn({ ...dependencies, corpora: trial.corpora }, { ...trial, question, runId, signal });
  // The worker stops: another one asks the question again.
  if (signal.aborted) return;
  const { isGenerated, played, ...result } = tried ?? live;
  const { source_id: _, isGenerated: wasGenerated, played: livePlayed, ...before } = live;
  const beside = tried === null ? null : { ...before, generated: isGenerated || wasGenerated };
  await database.transaction().execute(async (transaction) => {
    const stored = await transaction
      .insertInto('test_result')
      .values({
        ...{ run_id: runId, question_id: question.id, ...result },
        turns: played && JSON.stringify(played),
        live: beside === null ? null : JSON.stringify(beside),
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (stored.numInsertedOrUpdatedRows === 0n) return;
    await transaction
      .updateTable('test_question')
      .set({
        ...{ last_outcome: live.outcome, last_because: live.because, last_answer: live.answer },
        last_turns: livePlayed && JSON.stringify(livePlayed),
      })
      .where('id', '=', question.id)
      .where('workspace_id', '=', workspace.id)
      .execute();
    await countOutcome(transaction, {
      runId,
      outcome: result.outcome,
      heldUntil: new Date(clock.now().getTime() + LEASE_MS),
    });
  });
}

type Judging = Pick<Asking, 'workspace' | 'question' | 'runId' | 'signal'>;

/** Asks a question and judges the answer. */
async function askAndJudge(
  dependencies: RehearsalDependencies,
  { workspace, question, signal }: Judging,
): Promise<JudgedAnswer> {
  const given = await rehearseInTime(dependencies, {
    ...{ workspace, signal },
    text: question.question,
    earlierTurns: [],
    summary: null,
    audience: question.audience,
    channel: 'api',
    conversationId: null,
    language: question.language,
    model: null,
    strictness: workspace.settings.strictness ?? 'strict',
  });
  const { outcome, because } = given === null ? failedAnswer : judgeRehearsal(question, given);
  const answer = given?.answer;
  const [source] = answer?.sources ?? [];
  return {
    ...{ outcome, because, answer: truncateText(answer?.text ?? '', MAX_ANSWER) },
    tier: answer?.tier ?? null,
    probability: answer?.probability == null ? null : roundScore(answer.probability),
    source_id: source?.documentId ?? null,
    source_title: source?.title ?? null,
    isGenerated: answer?.isGenerated ?? false,
    played: null,
  };
}

/** Plays a scripted customer and judges the replies. The answer is all replies, so that two runs can be compared. */
async function playAndJudge(
  dependencies: Dependencies,
  { workspace, question, runId, signal }: Judging,
): Promise<JudgedAnswer> {
  const turns = parseTurns(question.turns);
  const { language, audience } = question;
  const script = { turns, language, audience, channel: question.channel ?? 'api' };
  const onTurn = () => holdRun(dependencies, runId);
  const replies = await playScript(dependencies, { workspace, script, onTurn, signal });
  const { outcome, because } = judgeScript(replies);
  const texts = replies.map(({ reply }, index) => `${index + 1}. ${reply}`);
  const decisive = replies.find((reply) => reply.outcome === outcome) ?? replies.at(-1);
  const answer = decisive?.rehearsal?.answer;
  return {
    ...{ outcome, because, answer: truncateText(texts.join('\n\n'), MAX_ANSWER) },
    tier: answer?.tier ?? null,
    probability: answer?.probability == null ? null : roundScore(answer.probability),
    source_id: answer?.sources[0]?.documentId ?? null,
    source_title: decisive?.source_title ?? null,
    isGenerated: replies.some(({ rehearsal }) => rehearsal?.answer.isGenerated === true),
    played: replies.map(({ rehearsal: _, ...turn }) => turn),
  };
}

/** Keeps a run reserved: the turns of a script may take longer than a lease. */
async function holdRun({ clock, database }: Dependencies, id: string): Promise<void> {
  await database.kysely
    .updateTable('test_run')
    .set({ held_until: new Date(clock.now().getTime() + LEASE_MS) })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .execute();
}

/** Judges an answer by the passages that its citations name; by its first source if it has none. */
function judgeRehearsal(question: QuestionRow, rehearsal: Rehearsal): Verdict {
  const { tier, text } = rehearsal.answer;
  return judge(toExpectation(question), { tier, text, used: usedPassages(rehearsal) });
}

const columns = {
  right: 'right_count',
  unsure: 'unsure_count',
  wrong: 'wrong_count',
  refused: 'refused_count',
} as const;

async function countOutcome(
  database: Kysely<Tables>,
  {
    runId,
    outcome,
    heldUntil,
  }: { readonly runId: string; readonly outcome: Outcome; readonly heldUntil: Date },
): Promise<void> {
  const column = outcome === 'error' ? null : columns[outcome];
  await database
    .updateTable('test_run')
    .set({
      held_until: heldUntil,
      ...(column !== null && { [column]: sql<number>`${sql.ref(column)} + 1` }),
    })
    .where('id', '=', runId)
    .execute();
}

async function finish(database: Kysely<Tables>, id: string, now: Date): Promise<void> {
  await database
    .updateTable('test_run')
    .set({ state: 'finished', finished_at: now, held_until: sql<Date>`'-infinity'` })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .execute();
}
