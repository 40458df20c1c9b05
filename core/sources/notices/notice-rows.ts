import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '../../storage/tables/tables.ts';
import { insertRun, type RunRow, wakeRun } from '../runs/run-queue.ts';
import { MISSES } from '../source-documents.ts';
import type { ListedItem } from '../source-reader.ts';

/** Of one run: what is read is published when all of it is. */
const MOST_PER_RUN = 100;
const MOST_SOURCES = 100;

/** Gives a run what was named first. Returns the number of items. */
export async function takeForRun(transaction: Transaction<Tables>, run: RunRow): Promise<number> {
  // Earlier runs have ended. Those of one that is held are still to be decided about.
  await sql`
    delete from source_notice
    where source_id = ${run.source_id} and run is not null
      and run is distinct from (select held_run from source where id = ${run.source_id})
  `.execute(transaction);
  const { rows } = await sql<{ key: string }>`
    update source_notice set run = ${run.number}
    where source_id = ${run.source_id} and key in (
      select key from source_notice
      where source_id = ${run.source_id} and run is null
      order by noticed_at, key limit ${MOST_PER_RUN}
    )
    returning key
  `.execute(transaction);
  return rows.length;
}

interface ReadNotice {
  readonly key: string;
  readonly state: string;
  readonly code: string | null;
  readonly now: Date;
}

/**
 * Notes that an item was read. One that is gone loses its document with this run if that is final, or if it was named as
 * deleted; otherwise a whole run decides.
 */
export async function settleNotice(
  transaction: Transaction<Tables>,
  run: RunRow,
  { key, state, code, now }: ReadNotice,
): Promise<void> {
  const notice = await transaction
    .updateTable('source_notice')
    .set({ read_at: now })
    .where('source_id', '=', run.source_id)
    .where('key', '=', key)
    .where('run', '=', run.number)
    .returning('is_deletion')
    .executeTakeFirst();
  if (state !== 'gone' || (code !== 'gone_for_good' && notice?.is_deletion !== true)) return;
  await transaction
    .updateTable('source_item')
    .set({ missing_runs: MISSES, reason: 'It was named as deleted and does not exist any more.' })
    .where('source_id', '=', run.source_id)
    .where('key', '=', key)
    .execute();
}

/** Reads the item to which another one has moved in the same run. Returns the number of items that are added. */
export async function addMoveTarget(
  transaction: Transaction<Tables>,
  run: RunRow,
  { target, now }: { readonly target: ListedItem | undefined; readonly now: Date },
): Promise<number> {
  if (target === undefined) return 0;
  await insertItems(transaction, run, [target]);
  const result = await transaction
    .insertInto('source_notice')
    .values({
      ...{ source_id: run.source_id, workspace_id: run.workspace_id, key: target.key },
      ...{ is_deletion: false, noticed_at: now, run: run.number },
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return Number(result.numInsertedOrUpdatedRows ?? 0n);
}

/** Leaves out the parts of an item that is left out: who may not read a page may not read its attachments. Returns their number. */
export async function leaveOutParts(
  transaction: Transaction<Tables>,
  run: RunRow,
  { owner, now }: { readonly owner: string; readonly now: Date },
): Promise<number> {
  const { rows } = await sql<{ key: string }>`
    with recursive part as (
      select key from source_item where source_id = ${run.source_id} and part_of = ${owner}
      union
      select item.key from source_item item join part on item.part_of = part.key
      where item.source_id = ${run.source_id}
    ),
    left_out as (
      update source_item
      set state = 'skipped', code = 'part_left_out', reason = 'The item that it belongs to is left out.',
        version = null, validators = null
      where source_id = ${run.source_id} and key in (select key from part)
        and document_id is not null and code is distinct from 'deleted_by_hand'
      returning key, workspace_id
    )
    insert into source_notice (source_id, workspace_id, key, is_deletion, noticed_at, run, read_at)
    select ${run.source_id}, workspace_id, key, true, ${now}, ${run.number}, ${now} from left_out
    on conflict (source_id, key) do update set run = excluded.run, read_at = excluded.read_at
    returning key
  `.execute(transaction);
  return rows.length;
}

/** Stores items that no list has named yet, as if the newest whole run had found them: the next one confirms or misses them. */
export async function insertItems(
  transaction: Transaction<Tables>,
  { source_id: sourceId, workspace_id: workspaceId }: Pick<RunRow, 'source_id' | 'workspace_id'>,
  items: readonly ListedItem[],
): Promise<void> {
  if (items.length === 0) return;
  const { number } = await transaction
    .selectFrom('source_run')
    .select(sql<number>`coalesce(max(number), 0)`.as('number'))
    .where('source_id', '=', sourceId)
    .where('is_partial', '=', false)
    .executeTakeFirstOrThrow();
  await transaction
    .insertInto('source_item')
    .values(
      items.map(({ key, url, title, depth = 0 }) => ({
        ...{ source_id: sourceId, workspace_id: workspaceId, key, url: url ?? null, title: title ?? null },
        ...{ depth, state: 'waiting', listed_run: number, named_run: number, read_run: number },
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Starts a run for what was named as changed. Returns null if nothing was, the source is paused, or a run does it already. */
export function startNoticeRun(
  database: Kysely<Tables>,
  { sourceId, now }: { readonly sourceId: string; readonly now: Date },
): Promise<RunRow | null> {
  return database.transaction().execute(async (transaction) => {
    const source = await transaction
      .selectFrom('source')
      .select(['id', 'workspace_id'])
      .where('id', '=', sourceId)
      .where('paused_at', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    if (source === undefined) return null;
    // The query runs under the lock, so that it sees a notice that another process stores at this moment.
    const waiting = await transaction
      .selectFrom('source_notice')
      .select('key')
      .where('source_id', '=', sourceId)
      .where('run', 'is', null)
      .limit(1)
      .executeTakeFirst();
    if (waiting === undefined) return null;
    return insertRun(transaction, { source, startedBy: 'notice', now, isPartial: true });
  });
}

/** Starts the runs whose start was lost with a process. */
export async function startNoticeRuns(
  database: Kysely<Tables>,
  { now, ...waking }: { readonly now: Date } & Parameters<typeof wakeRun>[0],
): Promise<void> {
  const rows = await database
    .selectFrom('source_notice')
    .select('source_id')
    .distinct()
    .where('run', 'is', null)
    .limit(MOST_SOURCES)
    .execute();
  for (const { source_id: sourceId } of rows) {
    const run = await startNoticeRun(database, { sourceId, now });
    if (run !== null) await wakeRun(waking, run);
  }
}
