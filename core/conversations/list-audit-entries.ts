import type { Kysely } from 'kysely';
import { AppError } from '../errors.ts';
import type { Page, PageRequest } from '../pagination.ts';
import { keysetPage } from '../storage/keyset-page.ts';
import type { Tables } from '../storage/tables.ts';
import { type AuditRecord, auditOf } from './audit-record.ts';

interface Addressed {
  readonly workspaceId: string;
  readonly id: string;
}

/**
 * What was changed of a conversation, latest first; also of one that is gone. Throws `invalid_cursor`, and
 * `conversation_not_found` for one that never was.
 */
export async function listAuditEntries(
  database: Kysely<Tables>,
  { workspaceId, id }: Addressed,
  page: PageRequest,
): Promise<Page<AuditRecord>> {
  const query = database
    .selectFrom('audit_entry')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('conversation_id', '=', id);
  const list = `audit ${workspaceId} ${id}`;
  const { items, nextCursor } = await keysetPage(query, { list, latest: 'at' }, page);
  if (items.length === 0) await requireConversation(database, { workspaceId, id });
  return { items: items.map(auditOf), nextCursor };
}

/** The changes of a whole workspace that belong to no conversation, latest first. Throws `invalid_cursor`. */
export async function listWorkspaceAudit(
  database: Kysely<Tables>,
  workspaceId: string,
  page: PageRequest,
): Promise<Page<AuditRecord>> {
  const query = database
    .selectFrom('audit_entry')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('conversation_id', 'is', null);
  const { items, nextCursor } = await keysetPage(query, { list: `audit ${workspaceId}`, latest: 'at' }, page);
  return { items: items.map(auditOf), nextCursor };
}

async function requireConversation(database: Kysely<Tables>, { workspaceId, id }: Addressed): Promise<void> {
  const row = await database
    .selectFrom('conversation')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw new AppError('conversation_not_found');
}
