import type { z } from 'zod';
import type { NewNote } from '../../../core/conversations/change-request.ts';
import type { noteBodySchema } from './note-body-schema.ts';

/** A note to be added, in the words of the core. */
export function readNote({ content, author_email }: z.output<typeof noteBodySchema>): NewNote {
  return { content, authorEmail: author_email ?? undefined };
}
