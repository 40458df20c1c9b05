import { sql, type Transaction } from 'kysely';
import { visitorChannelList } from '../conversations/visitor-conversations.ts';
import { batchRows, type TaskContext } from '../storage/maintenance-task.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { notifySessionsEnded } from './visitors.ts';

/** Deletes expired sessions, and visitors without a session or conversation. */
export async function purgeVisitors({ transaction, now }: TaskContext): Promise<number> {
  const sessions = await sql`
    delete from visitor_session where token_hash in (
      select token_hash from visitor_session where expires_at < ${now} limit ${batchRows} for update skip locked
    )
  `.execute(transaction);
  const visitors = await sql`
    delete from visitor where id in (
      select id from visitor
      where not exists (select from visitor_session where visitor_id = visitor.id)
        and not exists (
          select from conversation
          where session_id = visitor.id and channel in ${visitorChannelList}
        )
      limit ${batchRows}
      for update skip locked
    )
  `.execute(transaction);
  return Math.max(Number(sessions.numAffectedRows ?? 0n), Number(visitors.numAffectedRows ?? 0n));
}

/** How long files are kept that were uploaded and not sent. */
export const UNSENT_FILE_RETENTION_MS = 24 * 60 * 60 * 1_000;

/** Deletes files that visitors uploaded a day ago but did not send. */
export async function purgeUnsentVisitorFiles({ transaction, now }: TaskContext): Promise<number> {
  const before = new Date(now.getTime() - UNSENT_FILE_RETENTION_MS);
  const { numAffectedRows } = await sql`
    delete from visitor_file where id in (
      select id from visitor_file
      where conversation_id is null and created_at < ${before}
      limit ${batchRows}
      for update skip locked
    )
  `.execute(transaction);
  return Number(numAffectedRows ?? 0n);
}

interface VisitorBatch {
  readonly workspaceId: string;
  readonly ids: readonly string[];
}

/** Deletes visitors with their sessions and files. Returns the numbers of rows. */
export async function eraseVisitors(
  transaction: Transaction<Tables>,
  { workspaceId, ids }: VisitorBatch,
): Promise<{ readonly sessions: bigint; readonly files: bigint; readonly visitors: bigint }> {
  if (ids.length === 0) return { sessions: 0n, files: 0n, visitors: 0n };
  const sessions = await transaction
    .deleteFrom('visitor_session')
    .where('visitor_id', 'in', [...ids])
    .where(sql<boolean>`exists (select from visitor where id = visitor_id and workspace_id = ${workspaceId})`)
    .executeTakeFirst();
  const files = await transaction
    .deleteFrom('visitor_file')
    .where('workspace_id', '=', workspaceId)
    .where('visitor_id', 'in', [...ids])
    .executeTakeFirst();
  const visitors = await transaction
    .deleteFrom('visitor')
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', [...ids])
    .executeTakeFirst();
  for (const id of ids) await notifySessionsEnded(transaction, id);
  return {
    sessions: sessions.numDeletedRows,
    files: files.numDeletedRows,
    visitors: visitors.numDeletedRows,
  };
}
