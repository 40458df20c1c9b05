import type { Kysely } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { JobQueue } from '../../queue/queue.ts';
import type { Tables } from '../../storage/tables/tables.ts';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly queue: Pick<JobQueue, 'add'>;
  readonly log: Pick<Logger, 'warn'>;
}

interface GapCheck {
  readonly id: string;
  readonly workspace_id: string;
  readonly check_slice: number;
}

/** Queues the next slice of a check. It never rejects: maintenance queues lost ones. */
export async function wakeGapCheck(
  { queue, log }: Pick<Dependencies, 'queue' | 'log'>,
  { id, workspace_id: workspaceId, check_slice: slice }: GapCheck,
  again = '',
): Promise<void> {
  try {
    await queue.add('gaps', `${id}-${slice}${again}`, { workspaceId, gapId: id });
  } catch (err) {
    log.warn({ err, gap: id }, 'queueing the check of a gap failed, retried soon');
  }
}

const SORTING_MS = 5_000;

/** Queues the sorting of new questions, at most every five seconds. It never rejects: it is queued again at night. */
export async function wakeSorting(
  { queue, log, clock }: Pick<Dependencies, 'queue' | 'log' | 'clock'>,
  workspaceId: string,
): Promise<void> {
  try {
    const moment = Math.floor(clock.now().getTime() / SORTING_MS);
    await queue.add('gaps', `${workspaceId}-${moment}`, { workspaceId, gapId: null });
  } catch (err) {
    log.warn({ err, workspace: workspaceId }, 'queueing the sorting of questions failed');
  }
}

const MOST_AT_ONCE = 50;

/** Queues checks again that no process has worked on since a time: their jobs were lost. */
export async function requeueGapChecks(dependencies: Dependencies, before: Date): Promise<void> {
  const rows = await dependencies.database
    .selectFrom('gap')
    .select(['id', 'workspace_id', 'check_slice'])
    .where('check_from', '<', before)
    .where('held_until', '<', before)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('gap_question')
          .select('message_id')
          .whereRef('gap_id', '=', 'gap.id')
          .where(({ or, eb, ref }) =>
            or([eb('checked_at', 'is', null), eb('checked_at', '<', ref('gap.check_from'))]),
          ),
      ),
    )
    .limit(MOST_AT_ONCE)
    .execute();
  for (const row of rows) await wakeGapCheck(dependencies, row, `-${before.getTime()}`);
}

/** Sorts the questions of the day at night (from 2 to 5 o'clock UTC), for workspaces that were not sorted since. */
export async function sortAtNight(dependencies: Dependencies): Promise<void> {
  const now = dependencies.clock.now();
  if (now.getUTCHours() < 2 || now.getUTCHours() >= 5) return;
  const since = new Date(now);
  since.setUTCHours(2, 0, 0, 0);
  const due = await dependencies.database
    .selectFrom('workspace')
    .select('id')
    .where('deleted_at', 'is', null)
    .where('staging_for', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('gap_round')
            .select('workspace_id')
            .whereRef('gap_round.workspace_id', '=', 'workspace.id')
            .where('at', '>=', since),
        ),
      ),
    )
    .limit(MOST_AT_ONCE)
    .execute();
  for (const { id } of due) await wakeSorting(dependencies, id);
}
