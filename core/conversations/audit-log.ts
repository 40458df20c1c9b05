import type { Kysely, Selectable } from 'kysely';
import { z } from 'zod';
import { AppError } from '../errors.ts';
import { newIdInOrder } from '../ids.ts';
import type { Page, PageRequest } from '../pagination.ts';
import { keysetPage } from '../storage/keyset-page.ts';
import type { Tables } from '../storage/tables/tables.ts';

/** One change of a conversation or workspace: the action, its actor, and the values before and after it. */
export interface AuditEntry {
  readonly id: string;
  readonly action: string;
  readonly actor: string;
  readonly at: Date;
  readonly details: Readonly<Record<string, unknown>>;
}

const detailsSchema = z.record(z.string(), z.unknown());

export function auditEntryFromRow(row: Selectable<Tables['audit_entry']>): AuditEntry {
  return {
    id: row.id,
    action: row.action,
    actor: row.actor,
    at: row.at,
    details: detailsSchema.parse(row.details),
  };
}

type AuditAction =
  | 'status_changed'
  | 'tags_changed'
  | 'priority_changed'
  | 'customer_changed'
  | 'snooze_changed'
  | 'note_added'
  | 'lead_captured'
  | 'message_edited'
  | 'message_deleted'
  | 'sessions_ended'
  | 'deleted'
  | 'person_erased'
  | 'secret_rotated'
  | 'channel_created'
  | 'channel_changed'
  | 'channel_deleted'
  | 'member_invited'
  | 'invitation_revoked'
  | 'member_joined'
  | 'member_changed'
  | 'member_removed';

export interface AuditChange {
  /** Absent: a new id is generated. */
  readonly id?: string;
  readonly action: AuditAction;
  readonly details: Readonly<Record<string, unknown>>;
}

interface ChangedConversation {
  /** Null for an entry about the whole workspace. */
  readonly id: string | null;
  readonly workspaceId: string;
  /** The name of an API key or a skill, or `visitor`, `operator`, `snooze` or `retention`. */
  readonly actor: string;
  readonly at: Date;
}

/** Adds entries to the audit log. `database` must be the transaction that makes the changes. */
export async function writeAuditEntries(
  database: Kysely<Tables>,
  { id, workspaceId, actor, at }: ChangedConversation,
  changes: readonly AuditChange[],
): Promise<void> {
  if (changes.length === 0) return;
  await database
    .insertInto('audit_entry')
    .values(
      changes.map(({ id: entryId = newIdInOrder('evt'), action, details }) => ({
        id: entryId,
        workspace_id: workspaceId,
        conversation_id: id,
        action,
        actor,
        at,
        details: JSON.stringify(details),
      })),
    )
    .execute();
}

interface AuditListRequest {
  readonly workspaceId: string;
  readonly id: string;
}

/**
 * Returns the changes of a conversation, latest first, also of a deleted one. Throws `invalid_cursor`, and
 * `conversation_not_found` if no such conversation ever existed.
 */
export async function listAuditEntries(
  database: Kysely<Tables>,
  { workspaceId, id }: AuditListRequest,
  page: PageRequest,
): Promise<Page<AuditEntry>> {
  const query = database
    .selectFrom('audit_entry')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('conversation_id', '=', id);
  const list = `audit ${workspaceId} ${id}`;
  const { items, nextCursor } = await keysetPage(query, { list, latest: 'at' }, page);
  if (items.length === 0) await requireConversation(database, { workspaceId, id });
  return { items: items.map(auditEntryFromRow), nextCursor };
}

/** Returns the changes of a workspace that belong to no conversation, latest first. Throws `invalid_cursor`. */
export async function listWorkspaceAudit(
  database: Kysely<Tables>,
  workspaceId: string,
  page: PageRequest,
): Promise<Page<AuditEntry>> {
  const query = database
    .selectFrom('audit_entry')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('conversation_id', 'is', null);
  const { items, nextCursor } = await keysetPage(query, { list: `audit ${workspaceId}`, latest: 'at' }, page);
  return { items: items.map(auditEntryFromRow), nextCursor };
}

async function requireConversation(
  database: Kysely<Tables>,
  { workspaceId, id }: AuditListRequest,
): Promise<void> {
  const row = await database
    .selectFrom('conversation')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw new AppError('conversation_not_found');
}
