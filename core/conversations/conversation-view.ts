import type { Kysely, Selectable } from 'kysely';
import type { Tables } from '../storage/tables.ts';
import type { SlaPolicy } from '../workspaces/workspace-settings.ts';
import { type AuditRecord, auditOf } from './audit-record.ts';
import { type ConversationRecord, conversationOf } from './conversation-record.ts';
import { type MessageRecord, messageColumns, messageOf, messageParts } from './message-record.ts';
import { type NoteRecord, noteOf } from './note-record.ts';

/** A conversation with all that belongs to it, each oldest first. */
export interface ConversationView extends ConversationRecord {
  readonly messages: readonly MessageRecord[];
  readonly notes: readonly NoteRecord[];
  readonly auditLog: readonly AuditRecord[];
}

interface Measure {
  readonly policy: SlaPolicy | undefined;
  readonly now: Date;
}

/** Reads what belongs to a conversation; `database` is a transaction where all of it must be of one moment. */
export async function conversationView(
  database: Kysely<Tables>,
  row: Selectable<Tables['conversation']>,
  { policy, now }: Measure,
): Promise<ConversationView> {
  const messages = await database
    .selectFrom('message')
    .select(messageColumns)
    .select(messageParts)
    .where('conversation_id', '=', row.id)
    .orderBy('position')
    .execute();
  const notes = await database
    .selectFrom('note')
    .selectAll()
    .where('conversation_id', '=', row.id)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const entries = await database
    .selectFrom('audit_entry')
    .selectAll()
    .where('conversation_id', '=', row.id)
    .where('workspace_id', '=', row.workspace_id)
    .orderBy('at')
    .orderBy('id')
    .execute();
  return {
    ...conversationOf(row, policy, now),
    messages: messages.map(messageOf),
    notes: notes.map(noteOf),
    auditLog: entries.map(auditOf),
  };
}
