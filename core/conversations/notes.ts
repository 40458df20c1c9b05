import type { Kysely, Selectable } from 'kysely';
import { newIdInOrder } from '../ids.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { writeAuditEntries } from './audit-log.ts';
import type { NewNote } from './plan-change.ts';

/** A remark for agents, never for the visitor. */
export interface NoteRecord {
  readonly id: string;
  readonly conversationId: string;
  readonly content: string;
  readonly author: string;
  readonly createdAt: Date;
}

export function noteFromRow(row: Selectable<Tables['note']>): NoteRecord {
  return {
    id: row.id,
    conversationId: row.conversation_id,
    content: row.content,
    author: row.author,
    createdAt: row.created_at,
  };
}

interface NewNoteFields {
  readonly id: string;
  readonly workspaceId: string;
  /** The key's name: who wrote the notes that name nobody else. */
  readonly actor: string;
  readonly at: Date;
}

/** Adds a note and tells of it, in the transaction that `database` is. */
export async function writeNote(
  database: Kysely<Tables>,
  noted: NewNoteFields,
  { content, authorEmail }: NewNote,
): Promise<NoteRecord> {
  const row = await database
    .insertInto('note')
    .values({
      id: newIdInOrder('note'),
      conversation_id: noted.id,
      workspace_id: noted.workspaceId,
      content,
      author: authorEmail ?? noted.actor,
      created_at: noted.at,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const details = { note_id: row.id, author: row.author };
  await writeAuditEntries(database, noted, [{ action: 'note_added', details }]);
  return noteFromRow(row);
}
