import type { z } from 'zod';
import type { NoteRecord } from '../../../core/conversations/note-record.ts';
import type { noteSchema } from './note-schema.ts';

export function presentNote(note: NoteRecord): z.output<typeof noteSchema> {
  return {
    id: note.id,
    conversation_id: note.conversationId,
    content: note.content,
    author: note.author,
    created_at: note.createdAt.toISOString(),
  };
}
