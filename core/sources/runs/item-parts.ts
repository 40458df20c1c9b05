import { sql, type Transaction } from 'kysely';
import type { Tables } from '../../storage/tables/tables.ts';
import type { RunCounts } from '../source-record.ts';
import type { RunRow } from './run-queue.ts';

type Carried = Pick<RunCounts, 'listed' | 'unchanged' | 'skipped'>;

export const nothingCarried: Carried = { listed: 0, unchanged: 0, skipped: 0 };

/**
 * Lists the parts of items that were not read: they are as they were. Those that failed, or whose new content was not
 * published, are read again. Returns what they add to the counts of the run.
 */
export async function carryParts(
  transaction: Transaction<Tables>,
  run: RunRow,
  owners: readonly string[],
): Promise<Carried> {
  if (owners.length === 0) return nothingCarried;
  const parts = selectOpen(transaction, run).where(sql<boolean>`part_of = any(${owners}::text[])`);
  const rows = await carry(parts, run).execute();
  const own = count(rows);
  const kept = rows.filter((row) => row.is_kept).map(({ key }) => key);
  // The rest of a page has files of its own.
  const { listed, unchanged, skipped } = await carryParts(transaction, run, kept);
  return {
    listed: own.listed + listed,
    unchanged: own.unchanged + unchanged,
    skipped: own.skipped + skipped,
  };
}

/** The same of everything that a list of changes does not name. */
export async function carryUnlisted(transaction: Transaction<Tables>, run: RunRow): Promise<Carried> {
  const others = selectOpen(transaction, run).where(sql<boolean>`listed_run is distinct from ${run.number}`);
  return count(await carry(others, run).execute());
}

function count(rows: readonly { readonly state: string; readonly is_kept: boolean }[]): Carried {
  const skipped = rows.filter(({ state }) => state === 'skipped').length;
  return { listed: rows.length - skipped, unchanged: rows.filter((row) => row.is_kept).length, skipped };
}

function carry(items: ReturnType<typeof selectOpen>, { number }: RunRow) {
  return items
    .set({
      ...{ listed_run: number, named_run: number, missing_runs: 0 },
      read_run: sql`case when ${isKept} or state = 'skipped' then ${number} else read_run end`,
    })
    .where('state', '<>', 'gone')
    .returning(['key', 'state', sql<boolean>`${isKept}`.as('is_kept')]);
}

const isKept = sql`(state = 'current' and document_id is not null and version is not null)`;

/** Leaves out the parts of items that are left out: who may not read a page may not read its files. Returns their number. */
export async function skipParts(
  transaction: Transaction<Tables>,
  run: RunRow,
  owners: readonly string[],
): Promise<number> {
  if (owners.length === 0) return 0;
  const rows = await selectOpen(transaction, run)
    .set({
      ...{ state: 'skipped', code: 'part_left_out', reason: 'The item that it belongs to is left out.' },
      ...{ listed_run: run.number, named_run: run.number, read_run: run.number },
      ...{ version: null, validators: null, missing_runs: 0 },
    })
    .where(sql<boolean>`part_of = any(${owners}::text[])`)
    .where(sql<boolean>`code is distinct from 'deleted_by_hand'`)
    .returning('key')
    .execute();
  const inner = rows.map(({ key }) => key);
  return rows.length + (await skipParts(transaction, run, inner));
}

/** Items that this run has not settled. */
function selectOpen(transaction: Transaction<Tables>, run: RunRow) {
  return transaction
    .updateTable('source_item')
    .where('workspace_id', '=', run.workspace_id)
    .where('source_id', '=', run.source_id)
    .where(
      sql<boolean>`(listed_run is distinct from ${run.number} or read_run is distinct from ${run.number})`,
    );
}
