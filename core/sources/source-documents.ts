import { type Kysely, sql, type Transaction } from 'kysely';
import { AppError } from '../base/errors.ts';
import { namedActor } from '../contract/actor.ts';
import type { Documents } from '../knowledge/documents/documents.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { HeldRun, SourceRow } from './runs/held-run.ts';
import type { RunRow } from './runs/run-queue.ts';

/** Finished runs in a row that have to miss an item before its document is removed. */
const MISSES = 2;
/** Items that are gone are kept for the report for as many runs. */
const RUNS_REMEMBERED = 5;
const AT_ONCE = 50;

interface Removal {
  readonly database: Kysely<Tables>;
  readonly documents: Pick<Documents, 'delete'>;
  readonly held: HeldRun;
  readonly source: SourceRow;
}

/**
 * Deletes documents of items that are left out on purpose, or that two finished runs did not find. Returns their number,
 * which is limited: call it until nothing is left.
 */
export async function removeDocuments(
  { database, documents, held, source }: Removal,
  state: 'skipped' | 'gone',
): Promise<number> {
  let query = database
    .selectFrom('source_item')
    .select(['key', 'document_id'])
    .where('source_id', '=', source.id)
    .where('document_id', 'is not', null)
    .where('state', '=', state)
    .limit(AT_ONCE);
  query =
    state === 'gone'
      ? query.where('missing_runs', '>=', MISSES)
      : query.where(sql<boolean>`code is distinct from 'deleted_by_hand'`);
  const rows = await query.execute();
  for (const { key, document_id: id } of rows) {
    const isDeleted = id !== null && (await deleteDocument(documents, source.workspace_id, id));
    await held.settle(async (transaction) => {
      await transaction
        .updateTable('source_item')
        .set({ document_id: null })
        .where('source_id', '=', source.id)
        .where('key', '=', key)
        .execute();
      return { counts: { removed: isDeleted ? 1 : 0 } };
    });
  }
  return rows.length;
}

/** Returns false if somebody else has deleted it. */
export async function deleteDocument(
  documents: Pick<Documents, 'delete'>,
  workspaceId: string,
  id: string,
): Promise<boolean> {
  try {
    await documents.delete(workspaceId, id, { actor: namedActor('source'), bySource: true });
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'document_not_found') return false;
    throw error;
  }
}

const missingReason =
  'The last run did not find it. Its document is removed if the next one does not find it either.';
const removedReason = 'Two runs in a row did not find it, so its document was removed.';

/**
 * Compares the items with what the run has found: counts up how often they were missed. Does nothing after a run that
 * found nothing at all. Returns the number of items that are missing from the list.
 */
export async function countMissing(
  transaction: Transaction<Tables>,
  { run, isComplete }: { readonly run: RunRow; readonly isComplete: boolean },
): Promise<number> {
  const { source_id: sourceId, number } = run;
  const isWhole = isComplete && run.is_whole;
  // Items from before a change of the settings have no `listed_run` until a run finds them again.
  const isUnlisted = isWhole
    ? sql<boolean>`listed_run is distinct from ${number}`
    : sql<boolean>`listed_run is null`;
  const missing = await transaction
    .updateTable('source_item')
    .set({ state: 'gone', code: 'missing', reason: missingReason })
    .where('source_id', '=', sourceId)
    .where('state', 'in', ['current', 'failed', 'waiting'])
    .where(isUnlisted)
    .executeTakeFirst();
  await transaction
    .updateTable('source_item')
    .set({
      missing_runs: sql`missing_runs + 1`,
      reason: sql`case when missing_runs + 1 >= ${MISSES} then ${removedReason} else reason end`,
    })
    .where('source_id', '=', sourceId)
    .where('state', '=', 'gone')
    .where('missing_runs', '<', MISSES)
    .where((where) => where.or([where('read_run', '=', number), isUnlisted]))
    .execute();
  const oldest = number - RUNS_REMEMBERED;
  await transaction
    .deleteFrom('source_item')
    .where('source_id', '=', sourceId)
    .where('document_id', 'is', null)
    .where((where) =>
      where.or([
        where.and([
          where('state', '=', 'gone'),
          sql<boolean>`greatest(coalesce(listed_run, 0), coalesce(read_run, 0)) < ${oldest}`,
        ]),
        // The next run notes again which items it leaves out.
        where.and([where('state', '=', 'skipped'), isUnlisted]),
      ]),
    )
    .execute();
  return Number(missing.numUpdatedRows);
}

/**
 * Lets the next run read everything anew. After a change of settings, only what it finds again counts as known: the items
 * may be of another site.
 */
export async function forgetReadings(
  transaction: Transaction<Tables>,
  sourceId: string,
  fields: readonly string[],
): Promise<void> {
  if (!fields.includes('settings') && !fields.includes('audience')) return;
  await transaction
    .updateTable('source_item')
    .set({ version: null, validators: null, ...(fields.includes('settings') && { listed_run: null }) })
    .where('source_id', '=', sourceId)
    .execute();
}
