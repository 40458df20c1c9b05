import { type Kysely, type Selectable, sql } from 'kysely';
import { z } from 'zod';
import { AppError } from '../base/errors.ts';
import { newIdInOrder } from '../base/ids.ts';
import type { Page, PageRequest } from '../base/pagination.ts';
import type { Actor } from '../contract/actor.ts';
import { keysetPage } from '../storage/keyset-page.ts';
import type { Tables } from '../storage/tables/tables.ts';

/** One change of a conversation or workspace: the action, its actor, and the values before and after it. */
export interface AuditEntry {
  readonly id: string;
  readonly action: string;
  /** The name that the actor had. */
  readonly actor: string;
  /** The id of the person; null for API keys, processes and the operator's token. */
  readonly actorId: string | null;
  readonly at: Date;
  readonly details: Readonly<Record<string, unknown>>;
  /** Null for an entry about a whole workspace or owner. */
  readonly conversationId: string | null;
}

const detailsSchema = z.record(z.string(), z.unknown());

export function auditEntryFromRow(row: Selectable<Tables['audit_entry']>): AuditEntry {
  return {
    id: row.id,
    action: row.action,
    actor: row.actor,
    actorId: row.actor_id,
    at: row.at,
    details: detailsSchema.parse(row.details),
    conversationId: row.conversation_id,
  };
}

type AuditAction =
  | 'status_changed'
  | 'tags_changed'
  | 'priority_changed'
  | 'customer_changed'
  | 'metadata_changed'
  | 'snooze_changed'
  | 'assignee_changed'
  | 'note_added'
  | 'note_changed'
  | 'note_deleted'
  | 'rated'
  | 'answer_reviewed'
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
  | 'member_removed'
  | 'document_added'
  | 'document_changed'
  | 'document_deleted'
  | 'document_restored'
  | 'document_reindexed'
  | 'source_created'
  | 'source_changed'
  | 'source_credentials_replaced'
  | 'source_paused'
  | 'source_resumed'
  | 'source_deleted'
  | 'source_run_started'
  | 'source_run_cancelled'
  | 'source_changes_applied'
  | 'source_changes_discarded'
  | 'source_rule_added'
  | 'source_rule_removed'
  | 'source_webhook_changed'
  | 'workspace_created'
  | 'change_set_created'
  | 'change_set_changed'
  | 'change_set_discarded'
  | 'change_set_tried'
  | 'change_set_published'
  | 'change_set_undone'
  | 'workspace_changed'
  | 'workspace_deleted'
  | 'correction_used'
  | 'correction_declined'
  | 'correction_removed'
  | 'key_created'
  | 'key_changed'
  | 'key_revoked'
  | 'key_restored'
  | 'webhook_created'
  | 'webhook_changed'
  | 'webhook_deleted'
  | 'webhook_restored'
  | 'webhook_tested'
  | 'skill_created'
  | 'skill_changed'
  | 'skill_deleted'
  | 'skill_restored'
  | 'snippet_created'
  | 'snippet_changed'
  | 'snippet_deleted'
  | 'view_created'
  | 'view_changed'
  | 'view_deleted'
  | 'availability_changed'
  | 'snippet_restored'
  | 'tag_renamed'
  | 'tag_removed'
  | 'tag_restored'
  | 'person_removed'
  | 'recovery_link_created'
  | 'signed_in'
  | 'sign_in_failed'
  | 'session_ended'
  | 'identity_proven'
  | 'password_changed'
  | 'two_factor_changed'
  | 'passkey_added'
  | 'passkey_removed'
  | 'invitation_mailed'
  | 'sign_in_provider_changed'
  | 'sign_in_provider_tested'
  | 'sign_in_domain_verified'
  | 'sign_in_provider_removed'
  | 'model_key_set'
  | 'model_key_removed';

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
  readonly actor: Actor;
  readonly at: Date;
}

interface WorkspaceEntry {
  readonly workspaceId: string;
  readonly actor: Actor;
  readonly at: Date;
  readonly action: AuditAction;
  /** Names of what changed, never its values. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** Adds one entry about the whole workspace. `database` must be the transaction that makes the change. */
export async function auditWorkspace(
  database: Kysely<Tables>,
  { workspaceId, actor, at, ...change }: WorkspaceEntry,
): Promise<void> {
  await writeAuditEntries(database, { id: null, workspaceId, actor, at }, [change]);
}

/** Adds entries to the audit log. `database` must be the transaction that makes the changes. */
export async function writeAuditEntries(
  database: Kysely<Tables>,
  { id, workspaceId, actor, at }: ChangedConversation,
  changes: readonly AuditChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const target = { id, workspaceId, actor, at };
  await database
    .insertInto('audit_entry')
    .values(changes.map((change) => toRow(target, change)))
    .execute();
}

interface DeletedConversation {
  readonly id: string;
  readonly workspace_id: string;
  readonly status: string;
  readonly message_count: number;
}

/** Adds an entry for each deleted conversation, in one statement. `database` must be the transaction that deletes them. */
export async function auditDeletions(
  database: Kysely<Tables>,
  conversations: readonly DeletedConversation[],
  { actor, at }: Pick<ChangedConversation, 'actor' | 'at'>,
): Promise<void> {
  if (conversations.length === 0) return;
  await database
    .insertInto('audit_entry')
    .values(
      conversations.map(({ id, workspace_id: workspaceId, status, message_count }) =>
        toRow({ id, workspaceId, actor, at }, { action: 'deleted', details: { status, message_count } }),
      ),
    )
    .execute();
}

function toRow(
  { id, workspaceId, actor, at }: ChangedConversation,
  { id: entryId = newIdInOrder('evt'), action, details }: AuditChange,
) {
  return {
    id: entryId,
    workspace_id: workspaceId,
    conversation_id: id,
    action,
    actor: actor.name,
    actor_id: actor.id,
    at,
    details: JSON.stringify(details),
  };
}

/** Adds entries about all workspaces of an owner. `database` must be the transaction that makes the changes. */
export async function writeOwnerAudit(
  database: Kysely<Tables>,
  { ownerIds, actor, at }: { readonly ownerIds: readonly string[]; readonly actor: Actor; readonly at: Date },
  { action, details }: AuditChange,
): Promise<void> {
  if (ownerIds.length === 0) return;
  await database
    .insertInto('audit_entry')
    .values(
      ownerIds.map((owner_id) => ({
        id: newIdInOrder('evt'),
        owner_id,
        action,
        actor: actor.name,
        actor_id: actor.id,
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

/** Throws `conversation_not_found`. */
export async function requireConversation(
  database: Kysely<Tables>,
  { workspaceId, id }: Pick<AuditListRequest, 'workspaceId' | 'id'>,
): Promise<void> {
  const row = await database
    .selectFrom('conversation')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw new AppError('conversation_not_found');
}

/** Deletes entries of workspaces that were deleted before a time. Returns their number. */
export async function removeEntries(
  transaction: Kysely<Tables>,
  { deletedBefore, most }: { readonly deletedBefore: Date; readonly most: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from audit_entry where id in (
      select audit_entry.id from workspace
      join audit_entry on audit_entry.workspace_id = workspace.id
      where workspace.deleted_at < ${deletedBefore}
      limit ${most}
      for update of audit_entry skip locked
    )
  `.execute(transaction);
  return Number(numAffectedRows ?? 0n);
}
