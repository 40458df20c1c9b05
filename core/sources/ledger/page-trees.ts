import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '../../storage/tables/tables.ts';
import type { PageTree } from '../source-reader.ts';

/** Of all stored pages of a workspace, compressed. Pages beyond it are requested again to be cut anew. */
const MAX_WORKSPACE_BYTES = 2 ** 30;

/** The room for trees of a workspace, counted once for a slice. */
export class TreeRoom {
  #left: number | null = null;

  async hasRoom(database: Kysely<Tables>, workspaceId: string, bytes: number): Promise<boolean> {
    this.#left ??= MAX_WORKSPACE_BYTES - (await countBytes(database, workspaceId));
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }
}

async function countBytes(database: Kysely<Tables>, workspaceId: string): Promise<number> {
  const { bytes } = await database
    .selectFrom('page_tree')
    .select(sql<number>`coalesce(sum(octet_length(bytes)), 0)::float8`.as('bytes'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  return bytes;
}

/** Stores a tree once. The same transaction names it in `source_page`. */
export async function storeTree(
  transaction: Transaction<Tables>,
  workspaceId: string,
  { hash, bytes }: PageTree,
): Promise<void> {
  await transaction
    .insertInto('page_tree')
    .values({ workspace_id: workspaceId, hash, bytes })
    // The update locks the row, so that `dropUnusedTrees` leaves it.
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'hash']).doUpdateSet({ hash: sql`excluded.hash` }),
    )
    .execute();
}

export async function loadTree(
  database: Kysely<Tables>,
  workspaceId: string,
  hash: string,
): Promise<Uint8Array | null> {
  const row = await database
    .selectFrom('page_tree')
    .select('bytes')
    .where('workspace_id', '=', workspaceId)
    .where('hash', '=', hash)
    .executeTakeFirst();
  return row?.bytes ?? null;
}

/**
 * Deletes the trees that no page of the workspace names any more. The rows are locked first: a transaction that stores a
 * page with such a tree has it already, or stores it again.
 */
export async function dropUnusedTrees(transaction: Transaction<Tables>, workspaceId: string): Promise<void> {
  const { rows } = await sql<{ hash: string }>`
    select hash from page_tree where workspace_id = ${workspaceId} and ${isUnused} for update skip locked
  `.execute(transaction);
  if (rows.length === 0) return;
  const hashes = rows.map(({ hash }) => hash);
  await sql`
    delete from page_tree where workspace_id = ${workspaceId} and hash = any(${hashes}::text[]) and ${isUnused}
  `.execute(transaction);
}

const isUnused = sql`not exists (
  select from source_page page where page.workspace_id = page_tree.workspace_id and page.tree_hash = page_tree.hash
)`;
