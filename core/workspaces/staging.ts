import { type Kysely, sql } from 'kysely';
import { newPublicToken } from '../secrets/secret-rotation.ts';
import type { Tables } from '../storage/tables/tables.ts';

export interface NewHiddenWorkspace {
  readonly id: string;
  /** The workspace that it belongs to. */
  readonly workspaceId: string;
  /** Absent: those of the other workspace. */
  readonly settings?: object;
  /** The sealed identity secret, which nobody knows. */
  readonly secret: string;
  readonly at: Date;
}

/**
 * Inserts a hidden workspace of another one, if it is not there. Documents in it are indexed as all are. Every query names its
 * workspace, and no caller can name a hidden one, so nothing of it is ever found for a visitor.
 */
export async function insertHiddenWorkspace(
  database: Kysely<Tables>,
  { id, workspaceId, settings, secret, at }: NewHiddenWorkspace,
): Promise<void> {
  const own = settings === undefined ? sql`settings` : sql`${JSON.stringify(settings)}::jsonb`;
  await sql`
    insert into workspace (
      id, owner_id, name, plan, settings, identity_secret_encrypted, public_token, created_at, staging_for
    )
    select ${id}, owner_id, name, plan, ${own}, ${secret}, ${newPublicToken()}, ${at}, id
    from workspace where id = ${workspaceId} and deleted_at is null
    on conflict (id) do nothing
  `.execute(database);
}

/** Deletes a hidden workspace as any is: its documents are removed in the background. */
export async function closeStaging(
  database: Kysely<Tables>,
  { stagingId, at }: { readonly stagingId: string; readonly at: Date },
): Promise<void> {
  await database
    .updateTable('workspace')
    .set({ deleted_at: at })
    .where('id', '=', stagingId)
    .where('staging_for', 'is not', null)
    .execute();
  await database
    .updateTable('document')
    .set({ status: 'deleted', revision: -1 })
    .where('workspace_id', '=', stagingId)
    .execute();
}

/** Deletes all hidden workspaces of a workspace that is deleted. */
export async function closeStagings(
  database: Kysely<Tables>,
  { workspaceId, at }: { readonly workspaceId: string; readonly at: Date },
): Promise<void> {
  const rows = await database
    .selectFrom('workspace')
    .select('id')
    .where('staging_for', '=', workspaceId)
    .where('deleted_at', 'is', null)
    .execute();
  for (const { id } of rows) await closeStaging(database, { stagingId: id, at });
}
