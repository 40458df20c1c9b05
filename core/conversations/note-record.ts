import type { Selectable } from 'kysely';
import type { Tables } from '../storage/tables.ts';

/** A remark for agents, never for the visitor. */
export interface NoteRecord {
  readonly id: string;
  readonly conversationId: string;
  readonly content: string;
  readonly author: string;
  readonly createdAt: Date;
}

export function noteOf(row: Selectable<Tables['note']>): NoteRecord {
  return {
    id: row.id,
    conversationId: row.conversation_id,
    content: row.content,
    author: row.author,
    createdAt: row.created_at,
  };
}
