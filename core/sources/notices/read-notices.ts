import { sql } from 'kysely';
import { readItem } from '../runs/read-items.ts';
import type { ItemRow, OpenRun } from '../runs/settle-item.ts';
import { takeForRun } from './notice-rows.ts';

/**
 * Reads the items that were named as changed, in the order in which they were. Returns true at their end, and false if the
 * slice is over.
 */
export async function readNotices(open: OpenRun, isOver: () => boolean): Promise<boolean> {
  const { held, now } = open;
  if (held.row.listed_at === null) {
    await held.settle(async (transaction) => ({
      counts: { listed: await takeForRun(transaction, held.row) },
      set: { listed_at: now() },
    }));
  }
  for (let item = await findNext(open); item !== undefined; item = await findNext(open)) {
    if (isOver()) return false;
    await readItem(open, item);
  }
  await held.settle(async () => ({ set: { settled_at: now() } }));
  return true;
}

/** Without version and validators: somebody knows that it has changed, and caches on the way may not. */
async function findNext({ database, held }: OpenRun): Promise<ItemRow | undefined> {
  const row = await database
    .selectFrom('source_item')
    .innerJoin('source_notice as notice', (join) =>
      join
        .onRef('notice.source_id', '=', 'source_item.source_id')
        .onRef('notice.key', '=', 'source_item.key'),
    )
    .selectAll('source_item')
    .where('notice.source_id', '=', held.row.source_id)
    .where('notice.run', '=', held.row.number)
    .where('notice.read_at', 'is', null)
    .where(sql<boolean>`code is distinct from 'deleted_by_hand'`)
    .orderBy('notice.noticed_at')
    .orderBy('notice.key')
    .limit(1)
    .executeTakeFirst();
  return row && { ...row, listed_version: null, validators: null };
}
