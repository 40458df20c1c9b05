import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '../../storage/tables/tables.ts';
import { readItemResult } from '../runs/read-items.ts';
import type { ItemRow, OpenRun } from '../runs/settle-item.ts';
import { CUTTER } from '../website/tree/page-tree.ts';
import { loadTree } from './page-trees.ts';

const AT_ONCE = 200;

/** The version that `source.cut_version` has when all stored pages are cut by what is known. */
export function sourceCutVersion(rulesVersion: number): string {
  return `${CUTTER}.${rulesVersion}`;
}

/**
 * Cuts the stored pages anew that were cut with another template, other rules or another cutter. No page is requested, and
 * only what has another text then becomes a new revision. Pages with a document come first: one with the same text as
 * another that was cut before is a copy. Returns false if `isOver` says so before all are done.
 */
export async function cutItems(open: OpenRun, isOver: () => boolean): Promise<boolean> {
  const { cutter } = open.reader;
  if (cutter === undefined) return true;
  for (const hasDocument of [true, false]) {
    let after: string | null = null;
    for (;;) {
      const rows: readonly PageRow[] = await findPages(open, { hasDocument, after });
      for (const row of rows) {
        const version = await cutter.versionFor(row.key);
        if (version === row.cut_version) continue;
        await cutItem(open, row, version);
        // The check comes only now, so that each slice gets further.
        if (isOver()) return false;
        await yieldToOthers();
      }
      after = rows.at(-1)?.key ?? null;
      if (after === null) break;
    }
  }
  return true;
}

type PageRow = ItemRow & {
  readonly tree_hash: string | null;
  readonly cut_version: string | null;
  readonly is_withheld: boolean;
};

/** Only what the last reading of an item has decided can be decided anew. */
function findPages(
  { database, source }: OpenRun,
  { hasDocument, after }: { readonly hasDocument: boolean; readonly after: string | null },
): Promise<readonly PageRow[]> {
  let query = database
    .selectFrom('source_item')
    .innerJoin('source_page', (join) =>
      join
        .onRef('source_page.source_id', '=', 'source_item.source_id')
        .onRef('source_page.key', '=', 'source_item.key'),
    )
    .selectAll('source_item')
    .select(['source_page.tree_hash', 'source_page.cut_version'])
    .select(
      sql<boolean>`exists (
        select from source_change change
        where change.source_id = source_item.source_id and change.key = source_item.key
      )`.as('is_withheld'),
    )
    .where('source_item.workspace_id', '=', source.workspace_id)
    .where('source_item.source_id', '=', source.id)
    .where('source_page.tree_hash', 'is not', null)
    .where(
      sql<boolean>`(source_item.state = 'current' or source_item.state = 'skipped' and source_item.code = 'copy'
        or source_item.state = 'failed' and source_item.code = 'empty')`,
    )
    .where('source_item.document_id', hasDocument ? 'is not' : 'is', null)
    .orderBy('source_item.key')
    .limit(AT_ONCE);
  if (after !== null) query = query.where('source_item.key', '>', after);
  return query.execute();
}

async function cutItem(open: OpenRun, row: PageRow, version: string): Promise<void> {
  const { cutter } = open.reader;
  const { tree_hash: hash } = row;
  const tree = hash === null ? null : await loadTree(open.database, row.workspace_id, hash);
  if (cutter === undefined || tree === null) return;
  const cutting: OpenRun = { ...open, isCutting: true };
  await readItemResult(cutting, row, async (item) => {
    const result = await cutter.cut(item, tree);
    // The text that is withheld may differ from what the page is cut to now.
    return result.kind === 'unchanged' && row.is_withheld
      ? await cutter.cut({ ...item, validators: null }, tree)
      : result;
  });
  await noteCut(open, row, version);
}

/** Noted last: a process that dies before cuts the page again. */
async function noteCut({ database, now }: OpenRun, { source_id, key, tree_hash }: PageRow, version: string) {
  await database
    .updateTable('source_page')
    .set({ cut_version: version, cut_at: now() })
    .where('source_id', '=', source_id)
    .where('key', '=', key)
    .where('tree_hash', '=', tree_hash)
    .execute();
}

/** Notes that all pages of a source are cut with its rules, unless those have changed meanwhile. */
export async function noteAllCut(
  transaction: Transaction<Tables>,
  { id, rules_version: rulesVersion }: { readonly id: string; readonly rules_version: number },
): Promise<void> {
  await transaction
    .updateTable('source')
    .set({ cut_version: sourceCutVersion(rulesVersion) })
    .where('id', '=', id)
    .where('rules_version', '=', rulesVersion)
    .execute();
}

/** Selects the sources with stored pages that are to be cut anew, and are not being read, held or paused. */
export function selectUncutSources(database: Kysely<Tables>) {
  return database
    .selectFrom('source')
    .innerJoin('workspace', 'workspace.id', 'source.workspace_id')
    .select(['source.id', 'source.workspace_id'])
    .where(sql<boolean>`source.cut_version is distinct from ${`${CUTTER}.`}::text || source.rules_version`)
    .where('source.held_run', 'is', null)
    .where('source.paused_at', 'is', null)
    .where('workspace.deleted_at', 'is', null)
    .where(
      sql<boolean>`exists (select from source_page where source_id = source.id and tree_hash is not null)`,
    );
}
