import { randomUUID } from 'node:crypto';
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import type { Logger } from '../../base/log.ts';
import type { JobQueue } from '../../queue/queue.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { openRunStates } from '../source-record.ts';

export type RunRow = Selectable<Tables['source_run']>;

export interface Waking {
  readonly queue: Pick<JobQueue, 'add'>;
  readonly log: Pick<Logger, 'warn'>;
}

type Slice = Pick<RunRow, 'id' | 'slice'>;

/**
 * Queues the next slice of a run. It never rejects: maintenance queues lost ones. `again` is set if an earlier job of
 * the slice may still be stored.
 */
export async function wakeRun(
  { queue, log }: Waking,
  { id, slice }: Slice,
  { delayMs = 0, again = false } = {},
): Promise<void> {
  const job = `${id}-${slice}${again ? `-${randomUUID()}` : ''}`;
  try {
    await queue.add('source', job, { runId: id, slice }, { delayMs });
  } catch (err) {
    log.warn({ err, run: id }, 'queueing a source run failed, retried soon');
  }
}

interface NewRun {
  readonly source: Pick<Selectable<Tables['source']>, 'id' | 'workspace_id'>;
  readonly startedBy: string;
  readonly now: Date;
  /** Reads every item again, without conditions. */
  readonly isFull?: boolean;
  /** Reads nothing, and cuts stored pages anew. */
  readonly isCut?: boolean;
  /** Reads only what was named as changed. Such a run may go beside a whole one. */
  readonly isPartial?: boolean;
}

/** Starts a run of a source whose row the transaction has locked. Returns null if one is in progress. */
export async function insertRun(
  transaction: Transaction<Tables>,
  { source, startedBy, now, isFull = false, isCut = false, isPartial = false }: NewRun,
): Promise<RunRow | null> {
  const row = await transaction
    .insertInto('source_run')
    .values(({ selectFrom }) => ({
      id: newId('run'),
      source_id: source.id,
      workspace_id: source.workspace_id,
      number: selectFrom('source_run')
        .select(sql<number>`coalesce(max(number), 0) + 1`.as('number'))
        .where('source_id', '=', source.id),
      started_by: startedBy,
      state: 'queued',
      wake_at: now,
      created_at: now,
      is_full: isFull,
      ...(isCut && { is_cut: true, listed_at: now, settled_at: now }),
      is_partial: isPartial,
      is_whole: !isPartial,
    }))
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** Ends the current run of a source. Returns false if there is none. */
export async function cancelRun(
  transaction: Transaction<Tables>,
  sourceId: string,
  {
    now,
    code = null,
    reason = null,
  }: { readonly now: Date; readonly code?: string | null; readonly reason?: string | null },
): Promise<boolean> {
  const result = await transaction
    .updateTable('source_run')
    .set({ state: 'cancelled', code, reason, finished_at: now, holder: null, reserved_until: null })
    .where('source_id', '=', sourceId)
    .where('state', 'in', [...openRunStates])
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Maximum per round of maintenance. The rest follows in the next. */
const MOST_AT_ONCE = 100;

/** Starts the scheduled runs that are due, each once over all processes. A source that is being read is left out. */
export async function startDueRuns(
  { database, clock }: { readonly database: Kysely<Tables>; readonly clock: Clock },
  waking: Waking,
): Promise<void> {
  const now = clock.now();
  const started = await database.transaction().execute(async (transaction) => {
    const due = await transaction
      .selectFrom('source')
      .innerJoin('workspace', 'workspace.id', 'source.workspace_id')
      .select(['source.id', 'source.workspace_id', 'source.schedule_minutes'])
      .where('source.next_run_at', '<=', now)
      .where('source.paused_at', 'is', null)
      .where('workspace.deleted_at', 'is', null)
      .orderBy('source.next_run_at')
      .limit(MOST_AT_ONCE)
      .forUpdate('source')
      .skipLocked()
      .execute();
    const runs = [];
    for (const { schedule_minutes: minutes, ...source } of due) {
      runs.push(await insertRun(transaction, { source, startedBy: 'schedule', now }));
      await transaction
        .updateTable('source')
        .set({ next_run_at: nextRunAt(minutes, now) })
        .where('id', '=', source.id)
        .execute();
    }
    return runs;
  });
  for (const run of started) if (run !== null) await wakeRun(waking, run);
}

export function nextRunAt(minutes: number | null, now: Date): Date | null {
  return minutes === null ? null : new Date(now.getTime() + minutes * 60_000);
}

/**
 * Queues runs again that were due before a time, because their jobs were lost. A run that a process holds continues
 * when it is released, or when its lease ends.
 */
export async function requeueRuns(database: Kysely<Tables>, before: Date, waking: Waking): Promise<void> {
  const rows = await database
    .selectFrom('source_run')
    .select(['id', 'slice'])
    .where('state', 'in', [...openRunStates])
    .where('wake_at', '<=', before)
    .orderBy('wake_at')
    .limit(MOST_AT_ONCE)
    .execute();
  for (const row of rows) await wakeRun(waking, row, { again: true });
}

/** Lets runs that a dead process held continue at once. Call it only if no other process uses the database. */
export async function releaseRuns(database: Kysely<Tables>): Promise<void> {
  await database
    .updateTable('source_run')
    .set({ holder: null, reserved_until: null })
    .where('reserved_until', 'is not', null)
    .execute();
}
