import type { Kysely } from 'kysely';
import type { Tables } from '../../storage/tables/tables.ts';

/** A folder of the server that the operator lets the workspaces of one owner read. */
export interface AllowedFolder {
  /** Null: the first owner of the installation, who is the operator themselves. */
  readonly ownerId: string | null;
  readonly path: string;
}

/** Returns the paths of the folders that a workspace may read. */
export async function findOwnerFolders(
  database: Kysely<Tables>,
  folders: readonly AllowedFolder[],
  workspaceId: string,
): Promise<readonly string[]> {
  if (folders.length === 0) return [];
  const first = await database
    .selectFrom('owner')
    .select('id')
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  const workspace = await database
    .selectFrom('workspace')
    .select('owner_id')
    .where('id', '=', workspaceId)
    .executeTakeFirst();
  if (workspace === undefined) return [];
  return folders
    .filter(({ ownerId }) => (ownerId ?? first?.id) === workspace.owner_id)
    .map(({ path }) => path);
}
