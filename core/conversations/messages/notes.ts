import type { Kysely, Selectable, Transaction, Updateable } from 'kysely';
import { writeAuditEntries } from '../../audit/audit-log.ts';
import { newIdInOrder } from '../../base/ids.ts';
import { type Actor, namedActor } from '../../contract/actor.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import type { NewNote } from '../plan-change.ts';

/** A remark for agents. Visitors never see it. */
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
  /** Also the author of notes without an author of their own. */
  readonly actor: Actor;
  readonly at: Date;
}

/** Adds a note with its audit entry. `database` must be a transaction. */
export async function writeNote(
  database: Kysely<Tables>,
  target: NewNoteFields,
  { content, authorEmail }: NewNote,
): Promise<NoteRecord> {
  const row = await database
    .insertInto('note')
    .values({
      id: newIdInOrder('note'),
      conversation_id: target.id,
      workspace_id: target.workspaceId,
      content,
      author: authorEmail ?? target.actor.name,
      created_at: target.at,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const details = { note_id: row.id, author: row.author };
  await writeAuditEntries(database, target, [{ action: 'note_added', details }]);
  return noteFromRow(row);
}

interface RepeatedNote {
  readonly id: string;
  readonly workspaceId: string;
  readonly author: string;
  readonly withinMs: number;
  readonly content: string;
  readonly now: Date;
}

/** Adds a note unless the same author wrote the same within `withinMs`. */
export async function writeNoteOnce(
  transaction: Transaction<Tables>,
  { id, workspaceId, author, content, withinMs, now }: RepeatedNote,
): Promise<void> {
  const recentNote = await transaction
    .selectFrom('note')
    .select('id')
    .where('conversation_id', '=', id)
    .where('author', '=', author)
    .where('content', '=', content)
    .where('created_at', '>', new Date(now.getTime() - withinMs))
    .executeTakeFirst();
  if (recentNote !== undefined) return;
  await writeNote(
    transaction,
    { id, workspaceId, actor: namedActor(author), at: now },
    { content, authorEmail: undefined },
  );
}

interface NoteKey {
  readonly workspaceId: string;
  readonly id: string;
}

/** Changes columns of a note and returns its row. */
export function updateNote(
  transaction: Transaction<Tables>,
  { workspaceId, id }: NoteKey,
  columns: Updateable<Tables['note']>,
): Promise<Selectable<Tables['note']>> {
  return transaction
    .updateTable('note')
    .set(columns)
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Deletes a note. The caller writes the audit entry. */
export async function removeNote(
  transaction: Transaction<Tables>,
  { workspaceId, id }: NoteKey,
): Promise<void> {
  await transaction.deleteFrom('note').where('id', '=', id).where('workspace_id', '=', workspaceId).execute();
}
