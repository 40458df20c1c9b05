import type { Kysely, Selectable, Transaction } from 'kysely';
import { auditWorkspace } from '../../audit/audit-log.ts';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import type { Actor } from '../../contract/actor.ts';
import type { JobQueue } from '../../queue/queue.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { type RunRow, wakeRun } from '../runs/run-queue.ts';
import { openRunStates } from '../source-record.ts';
import { lockSource } from '../source-rows.ts';
import { dropChanges } from './withheld-changes.ts';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
  readonly queue: Pick<JobQueue, 'add'>;
}

interface Target {
  readonly workspaceId: string;
  readonly id: string;
  readonly actor: Actor;
}

type SourceRow = Selectable<Tables['source']>;

/**
 * Lets a worker publish the changes that are held: the run continues where it was stopped. Throws `source_not_found`,
 * `source_not_held` and `source_running`.
 */
export async function applyHold(dependencies: Dependencies, target: Target): Promise<void> {
  const run = await decide(dependencies, target, async (transaction, source, now) => {
    const open = await transaction
      .selectFrom('source_run')
      .select('id')
      .where('source_id', '=', source.id)
      .where('state', 'in', [...openRunStates])
      .executeTakeFirst();
    if (open !== undefined) throw new AppError('source_running');
    return transaction
      .updateTable('source_run')
      .set(({ eb }) => ({
        ...{ state: 'queued', verdict: 'accepted', hold_outcome: 'applied', code: null, reason: null },
        ...{ finished_at: null, wake_at: now, holder: null, reserved_until: null },
        slice: eb('slice', '+', 1),
      }))
      .where('source_id', '=', source.id)
      .where('number', '=', source.held_run)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
  await wakeRun(dependencies, run);
}

/**
 * Discards the changes that are held. Documents stay as they are, and the next run determines again which items are
 * gone, with new counts of misses. Throws `source_not_found` and `source_not_held`.
 */
export async function discardHold(dependencies: Dependencies, target: Target): Promise<void> {
  await decide(dependencies, target, async (transaction, source) => {
    await dropChanges(transaction, source.id, { except: null });
    await transaction
      .updateTable('source_item')
      .set({ missing_runs: 0, version: null })
      .where('source_id', '=', source.id)
      .where('document_id', 'is not', null)
      .where('state', 'in', ['gone', 'skipped'])
      .execute();
    return transaction
      .updateTable('source_run')
      .set({ hold_outcome: 'discarded' })
      .where('source_id', '=', source.id)
      .where('number', '=', source.held_run)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

async function decide(
  { database, clock }: Dependencies,
  { workspaceId, id, actor }: Target,
  change: (transaction: Transaction<Tables>, source: SourceRow, now: Date) => Promise<RunRow>,
): Promise<RunRow> {
  const now = clock.now();
  return database.transaction().execute(async (transaction) => {
    const source = await lockSource(transaction, { workspaceId, id });
    if (source.held_run === null) throw new AppError('source_not_held');
    const run = await change(transaction, source, now);
    await transaction
      .updateTable('source')
      .set({ held_run: null, held_at: null })
      .where('id', '=', id)
      .execute();
    const action = run.verdict === 'accepted' ? 'source_changes_applied' : 'source_changes_discarded';
    const details = { source: id, run: run.number };
    await auditWorkspace(transaction, { workspaceId, actor, at: now, action, details });
    return run;
  });
}
