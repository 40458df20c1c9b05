import { removeEntries } from '../../core/audit/audit-log.ts';
import { removeConversations } from '../../core/conversations/purge-conversations.ts';
import { batchRows, type TaskContext } from '../../core/storage/maintenance-task.ts';
import { removeEmptyWorkspaces } from '../../core/workspaces/purge-workspaces.ts';

/**
 * Deletes what deleted workspaces leave behind: conversations and audit entries here, documents by the ingest
 * worker, and finally the workspaces themselves, once all large tables are empty.
 */
export async function purgeDeletedWorkspaces({ transaction, now }: TaskContext): Promise<number> {
  const deletedBefore = new Date(now.getTime() - deletionGraceMs);
  const conversations = await removeConversations(transaction, { deletedBefore, most: batchRows });
  const entries = await removeEntries(transaction, { deletedBefore, most: batchRows });
  const rows = Math.max(conversations, entries);
  if (rows >= batchRows) return rows;
  await removeEmptyWorkspaces(transaction, deletedBefore);
  return rows;
}

/** Time that requests started before a deletion may take to finish and store their results. */
const deletionGraceMs = 5 * 60_000;
