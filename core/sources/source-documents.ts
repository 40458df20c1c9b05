import { type Kysely, sql, type Transaction } from 'kysely';
import { AppError } from '../base/errors.ts';
import { namedActor } from '../contract/actor.ts';
import type { Documents } from '../knowledge/documents/documents.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { HeldRun, SourceRow } from './runs/held-run.ts';
import type { RunRow } from './runs/run-queue.ts';

/** The name of sources in the audit log of documents. */
export const sourceActor = namedActor('source');

/** Finished runs in a row that have to miss an item before its document is removed. */
export const MISSES = 2;
/** Items that are gone are kept for the report for as many runs. */
const RUNS_REMEMBERED = 5;
const AT_ONCE = 50;

interface Removal {
  readonly database: Kysely<Tables>;
  readonly documents: Pick<Documents, 'delete'>;
  readonly held: HeldRun;
  readonly source: SourceRow;
}

/** Items whose document is removed because the settings say so, or which are from before a change of them. */
const intended = sql<boolean>`(listed_run is null or coalesce(code, '') in ('excluded', 'out_of_scope', 'unlisted'))`;

/**
 * Items that lose their document at the end of a run: those that are left out on purpose, those that are gone, and
 * those whose page has moved to one that answers, or is left out itself.
 */
function isRemovable(sourceId: string) {
  return sql<boolean>`document_id is not null and (
    state = 'gone' and missing_runs >= ${MISSES}
    or state = 'skipped' and code is distinct from 'deleted_by_hand' and (
      moved_to is null
      or exists (
        select from source_item target
        left join document on document.id = target.document_id
        where target.source_id = ${sourceId} and target.key = source_item.moved_to
          and (document.revision > 0 or target.state = 'skipped' and target.moved_to is null)
      )
    )
  )`;
}

/**
 * Selects the items whose documents a run would remove without anybody's request, before its changes are published: a
 * page that moved to an item whose own document goes counts as well.
 */
export function selectUnintendedRemovals(
  database: Kysely<Tables>,
  { source_id: sourceId, number, is_partial: isPartial }: RunRow,
) {
  const query = database
    .selectFrom('source_item')
    .where('source_id', '=', sourceId)
    .where((where) =>
      where.or([
        isRemovable(sourceId),
        sql<boolean>`document_id is not null and state = 'skipped' and exists (
          select from source_change
          where source_change.source_id = ${sourceId} and source_change.key = source_item.moved_to
            and source_change.takes_from is distinct from source_item.key
        )`,
      ]),
    )
    .where((where) => where.not(intended));
  return isPartial ? query.where(isNoticed(number)) : query;
}

/** A run of changes decides about those alone. */
function isNoticed(number: number) {
  return sql<boolean>`exists (
    select from source_notice notice
    where notice.source_id = source_item.source_id and notice.key = source_item.key and notice.run = ${number}
  )`;
}

/** Deletes documents of items that are gone or left out. Returns their number, which is limited: call it until it is 0. */
export async function removeDocuments({ database, documents, held, source }: Removal): Promise<number> {
  let query = database
    .selectFrom('source_item')
    .select(['key', 'document_id'])
    .where('source_id', '=', source.id)
    .where(isRemovable(source.id))
    .limit(AT_ONCE);
  if (held.row.is_partial) query = query.where(isNoticed(held.row.number));
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

/** Returns false if another process has deleted it. */
export async function deleteDocument(
  documents: Pick<Documents, 'delete'>,
  workspaceId: string,
  id: string,
): Promise<boolean> {
  try {
    await documents.delete(workspaceId, id, { actor: sourceActor, bySource: true });
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'document_not_found') return false;
    throw error;
  }
}

export const missingReason =
  'The last run did not find it. Its document is removed if the next one does not find it either.';
const removedReason = 'Two runs in a row did not find it, so its document was removed.';
const finalReason = 'It does not exist any more, and is not listed either, so its document was removed.';

/**
 * Compares the items with what the run has found: counts up how often they were missed. One that answers that it is
 * gone for good, or that it is gone while the list does not name it either, need not be missed twice. It does nothing
 * after a run that found nothing at all. Returns the number of items that are missing from the list.
 */
export async function countMissing(
  transaction: Transaction<Tables>,
  { run, isComplete }: { readonly run: RunRow; readonly isComplete: boolean },
): Promise<number> {
  const { source_id: sourceId, number } = run;
  const isWhole = isComplete && run.is_whole;
  // Items from before a change of the settings have no `listed_run` until a run finds them again.
  const isUnlisted = isWhole
    ? sql<boolean>`(named_run is distinct from ${number} or listed_run is null)`
    : sql<boolean>`listed_run is null`;
  const missing = await transaction
    .updateTable('source_item')
    .set({ state: 'gone', code: 'missing', reason: missingReason })
    .where('source_id', '=', sourceId)
    .where('state', 'in', ['current', 'failed', 'waiting'])
    .where(isUnlisted)
    .executeTakeFirst();
  const isFinal =
    run.has_list && run.is_whole
      ? sql<boolean>`(code = 'gone_for_good' or code = 'gone' and named_run is distinct from ${number})`
      : sql<boolean>`code = 'gone_for_good'`;
  await transaction
    .updateTable('source_item')
    .set({ missing_runs: MISSES, reason: finalReason })
    .where('source_id', '=', sourceId)
    .where('state', '=', 'gone')
    .where('read_run', '=', number)
    .where('missing_runs', '<', MISSES)
    .where(isFinal)
    .execute();
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
 * Lets the next run read everything again. After a change of settings, only items that it finds again count as known,
 * because the items may be of another site.
 */
export async function forgetReadings(
  transaction: Transaction<Tables>,
  sourceId: string,
  fields: readonly string[],
): Promise<void> {
  if (!fields.includes('settings') && !fields.includes('audience')) return;
  if (fields.includes('settings')) {
    await transaction
      .updateTable('source')
      .set({ lastmod_distrusted_at: null, lastmod_sample: null })
      .where('id', '=', sourceId)
      .execute();
  }
  await transaction
    .updateTable('source_item')
    .set({
      ...{ version: null, validators: null },
      ...(fields.includes('settings') && { listed_run: null, origin: null }),
    })
    .where('source_id', '=', sourceId)
    .execute();
}
