import { type Kysely, sql } from 'kysely';
import type { Tables } from '../storage/tables.ts';
import { deletionGraceMs } from './deletion-grace.ts';
import { batchRows, type TaskContext } from './task.ts';

/**
 * Removes what deleted workspaces leave: conversations and audit entries here, documents by the workers that index
 * them, and in the end, with everything gone that is large, the workspaces themselves.
 */
export async function emptyDeletedWorkspaces({ transaction, now }: TaskContext): Promise<number> {
  const deletedBefore = new Date(now.getTime() - deletionGraceMs);
  const conversations = await removeRows(transaction, 'conversation', deletedBefore);
  const entries = await removeRows(transaction, 'audit_entry', deletedBefore);
  const rows = Math.max(conversations, entries);
  if (rows >= batchRows) return rows;
  await sql`
    delete from workspace
    where deleted_at < ${deletedBefore}
      and not exists (select from document where workspace_id = workspace.id)
      and not exists (select from conversation where workspace_id = workspace.id)
      and not exists (select from audit_entry where workspace_id = workspace.id)
  `.execute(transaction);
  return rows;
}

async function removeRows(
  transaction: Kysely<Tables>,
  table: 'conversation' | 'audit_entry',
  deletedBefore: Date,
): Promise<number> {
  const name = sql.table(table);
  const { numAffectedRows } = await sql`
    delete from ${name} where id in (
      select ${name}.id from workspace
      join ${name} on ${name}.workspace_id = workspace.id
      where workspace.deleted_at < ${deletedBefore}
      limit ${batchRows}
      for update of ${name} skip locked
    )
  `.execute(transaction);
  return Number(numAffectedRows ?? 0n);
}
