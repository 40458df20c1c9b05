import { type Kysely, sql } from 'kysely';
import type { Tables } from '../storage/tables.ts';
import { batchRows, type TaskContext } from './task.ts';

/** What was asked before a workspace was deleted may take so long to be answered and stored. */
const graceMs = 5 * 60_000;

/**
 * Removes what deleted workspaces leave: conversations and audit entries here, documents by the workers that index
 * them, and in the end, with everything gone that is large, the workspaces themselves.
 */
export async function emptyDeletedWorkspaces({ transaction, now, queue }: TaskContext): Promise<number> {
  const deletedBefore = new Date(now.getTime() - graceMs);
  const conversations = await removeRows(transaction, 'conversation', deletedBefore);
  const entries = await removeRows(transaction, 'audit_entry', deletedBefore);
  const rows = Math.max(conversations, entries);
  if (rows >= batchRows) return rows;
  await wakeRemoval(transaction, queue, deletedBefore);
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

async function wakeRemoval(
  transaction: Kysely<Tables>,
  queue: TaskContext['queue'],
  deletedBefore: Date,
): Promise<void> {
  const documents = await transaction
    .selectFrom('document')
    .innerJoin('workspace', 'workspace.id', 'document.workspace_id')
    .select(['document.id', 'document.wanted_revision', 'document.status'])
    .where('workspace.deleted_at', '<', deletedBefore)
    .where('document.status', '=', 'deleted')
    .limit(batchRows)
    .execute();
  for (const { id, wanted_revision, status } of documents) {
    await queue.add('ingest', `${id}-${wanted_revision}-${status}`, { documentId: id });
  }
}
