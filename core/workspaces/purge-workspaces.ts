import { type Kysely, sql } from 'kysely';
import type { Tables } from '../storage/tables/tables.ts';

/** Deletes workspaces that were deleted before a time, once their large tables are empty. */
export async function removeEmptyWorkspaces(transaction: Kysely<Tables>, deletedBefore: Date): Promise<void> {
  await sql`
    delete from workspace
    where deleted_at < ${deletedBefore}
      and not exists (select from document where workspace_id = workspace.id)
      and not exists (select from conversation where workspace_id = workspace.id)
      and not exists (select from audit_entry where workspace_id = workspace.id)
      and not exists (select from workspace staging where staging.staging_for = workspace.id)
  `.execute(transaction);
}
