import type { Kysely } from 'kysely';
import { newIdInOrder } from '../ids.ts';
import type { Tables } from '../storage/tables.ts';

export type AuditAction =
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
  | 'secret_rotated';

export interface Change {
  /** A new one when absent. */
  readonly id?: string;
  readonly action: AuditAction;
  readonly details: Readonly<Record<string, unknown>>;
}

interface ChangedConversation {
  /** Null for an entry about the whole workspace. */
  readonly id: string | null;
  readonly workspaceId: string;
  /** A key's name, a skill's, `visitor`, `operator`, `snooze` or `retention`. */
  readonly actor: string;
  readonly at: Date;
}

/** Tells what was changed, in the transaction that changes it: `database` is that transaction. */
export async function writeAudit(
  database: Kysely<Tables>,
  { id, workspaceId, actor, at }: ChangedConversation,
  changes: readonly Change[],
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
