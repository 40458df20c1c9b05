import type { Kysely } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { insertRun, type Waking, wakeRun } from '../runs/run-queue.ts';
import { selectUncutSources } from './cut-items.ts';

/** Maximum per round of maintenance. The rest follows in the next. */
const MOST_AT_ONCE = 20;

/**
 * Starts runs that cut the stored pages of a source anew: after a new version of the product, and after a rule that was
 * made while the source was being read.
 */
export async function startDueCuts(
  { database, clock }: { readonly database: Kysely<Tables>; readonly clock: Clock },
  waking: Waking,
): Promise<void> {
  const now = clock.now();
  const started = await database.transaction().execute(async (transaction) => {
    const due = await selectUncutSources(transaction)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('source_run')
              .select('source_run.id')
              .whereRef('source_run.source_id', '=', 'source.id')
              .where('source_run.state', 'in', ['queued', 'running']),
          ),
        ),
      )
      .limit(MOST_AT_ONCE)
      .forUpdate('source')
      .skipLocked()
      .execute();
    const runs = [];
    for (const source of due)
      runs.push(await insertRun(transaction, { source, startedBy: 'schedule', now, isCut: true }));
    return runs;
  });
  for (const run of started) if (run !== null) await wakeRun(waking, run);
}
