import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import type { Page, PageRequest } from '../../base/pagination.ts';
import type { JobQueue } from '../../queue/queue.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import type { GapKind } from './cluster.ts';
import { wakeGapCheck, wakeSorting } from './gap-queue.ts';
import { countGaps, findGap, type Gap, type GapState, listGaps } from './list-gaps.ts';
import { maskWords } from './mask-words.ts';
import { chooseRepresentatives, lockGaps } from './sort-questions.ts';
import { countUnsorted, gapsSince } from './unanswered.ts';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly queue: Pick<JobQueue, 'add'>;
  readonly log: Pick<Logger, 'warn'>;
}

/** A question of a gap. */
export interface GapQuestion {
  readonly messageId: string;
  readonly conversationId: string;
  /** Masked. */
  readonly text: string;
  readonly askedAt: Date;
  readonly channel: string;
  /** The tier of today's answer, as the newest check found it; null if it was not asked again. */
  readonly tier: 'answer' | 'maybe' | 'none' | null;
}

const MAX_QUESTIONS = 100;
const tiers = ['answer', 'maybe', 'none'] as const;

/** The topics that visitors of a workspace get no answer to. */
export class Gaps {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Lists gaps, most asked first, with the numbers of all by state. Throws `invalid_cursor`. */
  async list(
    workspaceId: string,
    {
      state,
      kind,
      ...page
    }: PageRequest & { readonly state?: GapState | undefined; readonly kind?: GapKind | undefined },
  ): Promise<Page<Gap> & { readonly counts: Readonly<Record<GapState, number>> }> {
    const { database, clock } = this.#dependencies;
    const listed = await listGaps(database, { workspaceId, now: clock.now(), state, kind }, page);
    return { ...listed, counts: await countGaps(database, workspaceId) };
  }

  /** Returns a gap with its latest questions, at most 100. Throws `gap_not_found`. */
  async get(workspaceId: string, id: string): Promise<Gap & { readonly latest: readonly GapQuestion[] }> {
    const { database, clock } = this.#dependencies;
    const gap = await findGap(database, { workspaceId, id, now: clock.now() });
    if (gap === null) throw new AppError('gap_not_found');
    return { ...gap, latest: await findQuestions(database, { workspaceId, id }) };
  }

  /** Sets the state. Throws `gap_not_found`. */
  async change(
    workspaceId: string,
    id: string,
    { state, by }: { state: GapState; by: string },
  ): Promise<Gap> {
    const { database, clock } = this.#dependencies;
    const isClosed = state === 'done' || state === 'dismissed';
    await database
      .updateTable('gap')
      .set({ state, closed_at: isClosed ? clock.now() : null, changed_by: by })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .execute();
    return this.get(workspaceId, id);
  }

  /**
   * Moves the questions of other gaps into one, which then stands for all. Throws `gap_not_found` and
   * `gap_language_differs`; nothing is moved in these cases.
   */
  async merge(
    workspaceId: string,
    id: string,
    { others, by }: { readonly others: readonly string[]; readonly by: string },
  ): Promise<Gap> {
    const moved = [...new Set(others)].filter((other) => other !== id);
    await this.#dependencies.database.transaction().execute(async (transaction) => {
      await lockGaps(transaction, workspaceId);
      const rows = await transaction
        .selectFrom('gap')
        .select(['id', 'language'])
        .where('workspace_id', '=', workspaceId)
        .where('id', 'in', [id, ...moved])
        .execute();
      if (rows.length <= moved.length) throw new AppError('gap_not_found');
      if (new Set(rows.map(({ language }) => language)).size > 1) throw new AppError('gap_language_differs');
      if (moved.length === 0) return;
      await transaction
        .updateTable('gap_question')
        .set({ gap_id: id })
        .where('workspace_id', '=', workspaceId)
        .where('gap_id', 'in', moved)
        .execute();
      await transaction
        .deleteFrom('gap')
        .where('workspace_id', '=', workspaceId)
        .where('id', 'in', moved)
        .execute();
      await transaction
        .updateTable('gap')
        .set({ changed_by: by })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .execute();
      await chooseRepresentatives(transaction, workspaceId, [id]);
    });
    return this.get(workspaceId, id);
  }

  /**
   * Has all questions of a gap asked again on trial, in the background; with an answer that was written for it, once that is
   * indexed. Throws `gap_not_found`.
   */
  async check(
    workspaceId: string,
    id: string,
    { answerId, by }: { readonly answerId: string | null; readonly by: string },
  ): Promise<Gap> {
    const { database, clock } = this.#dependencies;
    const row = await database
      .updateTable('gap')
      .set({
        check_from: clock.now(),
        check_slice: sql<number>`check_slice + 1`,
        changed_by: by,
        ...(answerId !== null && { answer_id: answerId }),
      })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .returning(['id', 'workspace_id', 'check_slice'])
      .executeTakeFirst();
    if (row === undefined) throw new AppError('gap_not_found');
    await wakeGapCheck(this.#dependencies, row);
    return this.get(workspaceId, id);
  }

  /** Has new questions sorted in the background. Returns how many wait for it. */
  async refresh(workspaceId: string): Promise<number> {
    const { database, clock } = this.#dependencies;
    const waiting = await countUnsorted(database, workspaceId, gapsSince(clock.now()));
    if (waiting > 0) await wakeSorting(this.#dependencies, workspaceId);
    return waiting;
  }
}

interface QuestionRow {
  readonly message_id: string;
  readonly conversation_id: string;
  readonly asked_at: Date;
  readonly tier: string | null;
  readonly content: string;
  readonly channel: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
}

/** Returns the latest questions of a gap, the one that stands for it first. */
export async function findQuestions(
  database: Kysely<Tables>,
  { workspaceId, id }: { readonly workspaceId: string; readonly id: string },
): Promise<readonly GapQuestion[]> {
  const { rows } = await sql<QuestionRow>`
    select gap_question.message_id, gap_question.conversation_id, asked_at, said.content, channel,
           case when checked_at >= gap.check_from then gap_question.tier end as tier,
           customer_name as name, customer_email as email, customer_phone as phone
    from gap_question
    join gap on gap.id = gap_question.gap_id
    join message as said on said.id = gap_question.question_id and said.deleted_at is null
    join conversation on conversation.id = gap_question.conversation_id
    where gap_question.workspace_id = ${workspaceId} and gap.id = ${id}
    order by (gap_question.message_id = gap.representative_id) desc nulls last, asked_at desc
    limit ${MAX_QUESTIONS}
  `.execute(database);
  return rows.map((row) => ({
    messageId: row.message_id,
    conversationId: row.conversation_id,
    text: maskWords(row.content, row),
    askedAt: row.asked_at,
    channel: row.channel,
    tier: tiers.find((tier) => tier === row.tier) ?? null,
  }));
}
