import { type Kysely, sql } from 'kysely';
import type { RehearsalDependencies } from '../../answering/rehearsal.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import type { Workspace, Workspaces } from '../../workspaces/workspaces.ts';
import { rehearseInTime } from '../rehearse-in-time.ts';

interface Dependencies extends RehearsalDependencies {
  readonly workspaces: Pick<Workspaces, 'get'>;
}

/** After it, the check waits for its next turn. */
const SLICE_MS = 10_000;
/** Longer than any answer takes. A process that dies lets go of the check after it. */
const LEASE_MS = 120_000;

interface Checking {
  readonly workspaceId: string;
  readonly gapId: string;
  readonly signal: AbortSignal;
}

/** The next slice of a check: its number, and the pause before it. */
export interface NextSlice {
  readonly slice: number;
  readonly delayMs: number;
}

const INDEXING_PAUSE_MS = 1_000;

/**
 * Asks the next questions of a gap again, on trial. Returns null if none is left, or another process has the gap. A gap
 * whose questions are all answered is done.
 */
export async function checkGapSlice(
  dependencies: Dependencies,
  { workspaceId, gapId, signal }: Checking,
): Promise<NextSlice | null> {
  const { clock } = dependencies;
  const database = dependencies.database.kysely;
  const startedAt = clock.now().getTime();
  const gap = await takeGap(database, { workspaceId, gapId, now: clock.now() });
  if (gap === null) return null;
  const answer = await findAnswer(database, workspaceId, gap.answer_id);
  if (answer?.isPending === true) return { slice: await letGo(database, gapId), delayMs: INDEXING_PAUSE_MS };
  const workspace = await dependencies.workspaces.get(workspaceId);
  const audience = answer?.audience ?? [];
  while (!signal.aborted && clock.now().getTime() - startedAt < SLICE_MS) {
    const question = await nextQuestion(database, gapId);
    if (question === null) {
      await finish(database, gapId, clock.now());
      return null;
    }
    const asked = { workspace, audience, text: question.content };
    const tier = await askAgain(dependencies, asked, signal);
    if (signal.aborted) break;
    await storeTier(database, { messageId: question.message_id, tier, now: clock.now() });
  }
  return { slice: await letGo(database, gapId), delayMs: 0 };
}

async function takeGap(
  database: Kysely<Tables>,
  { workspaceId, gapId, now }: { readonly workspaceId: string; readonly gapId: string; readonly now: Date },
) {
  const row = await database
    .updateTable('gap')
    .set({ held_until: new Date(now.getTime() + LEASE_MS) })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', gapId)
    .where('check_from', 'is not', null)
    .where('held_until', '<=', now)
    .returning('answer_id')
    .executeTakeFirst();
  return row ?? null;
}

async function letGo(database: Kysely<Tables>, gapId: string): Promise<number> {
  const row = await database
    .updateTable('gap')
    .set({ held_until: sql<Date>`'-infinity'`, check_slice: sql<number>`check_slice + 1` })
    .where('id', '=', gapId)
    .returning('check_slice')
    .executeTakeFirst();
  return row?.check_slice ?? 0;
}

async function findAnswer(database: Kysely<Tables>, workspaceId: string, id: string | null) {
  if (id === null) return null;
  const row = await database
    .selectFrom('document')
    .select(['status', 'audience'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return null;
  return { audience: row.audience, isPending: row.status === 'queued' || row.status === 'indexing' };
}

interface QuestionRow {
  readonly message_id: string;
  readonly content: string;
}

async function nextQuestion(database: Kysely<Tables>, gapId: string): Promise<QuestionRow | null> {
  const { rows } = await sql<QuestionRow>`
    select gap_question.message_id, coalesce(said.content, '') as content
    from gap_question
    join gap on gap.id = gap_question.gap_id
    left join message as said on said.id = gap_question.question_id and said.deleted_at is null
    where gap.id = ${gapId} and (checked_at is null or checked_at < gap.check_from)
    order by asked_at desc, gap_question.message_id
    limit 1
  `.execute(database);
  return rows[0] ?? null;
}

interface AskedAgain {
  readonly workspace: Workspace;
  readonly audience: readonly string[];
  readonly text: string;
}

/** Returns null if the answer failed or took too long. */
async function askAgain(
  dependencies: Dependencies,
  { workspace, audience, text }: AskedAgain,
  signal: AbortSignal,
): Promise<'answer' | 'maybe' | 'none' | null> {
  if (text === '') return 'none';
  const rehearsal = await rehearseInTime(dependencies, {
    ...{ workspace, text, audience, signal },
    earlierTurns: [],
    summary: null,
    channel: 'api',
    conversationId: null,
    language: null,
    model: null,
    strictness: workspace.settings.strictness ?? 'strict',
  });
  return rehearsal?.answer.tier ?? null;
}

async function storeTier(
  database: Kysely<Tables>,
  { messageId, tier, now }: { messageId: string; tier: string | null; now: Date },
): Promise<void> {
  await database
    .updateTable('gap_question')
    .set({ checked_at: now, tier })
    .where('message_id', '=', messageId)
    .execute();
}

async function finish(database: Kysely<Tables>, gapId: string, now: Date): Promise<void> {
  await sql`
    update gap set held_until = '-infinity',
      state = case when solved.whole then 'done' else state end,
      closed_at = case when solved.whole then coalesce(closed_at, ${now}::timestamptz) else closed_at end
    from (
      select coalesce(bool_and(coalesce(tier = 'answer', false)), false) as whole
      from gap_question where gap_id = ${gapId}
    ) as solved
    where gap.id = ${gapId}
  `.execute(database);
}
