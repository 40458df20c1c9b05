import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Source } from '../answering/answer.ts';
import type { Tables } from '../storage/tables.ts';

/** What a visitor, the engine or a person said. */
export type MessageRecord = { readonly id: string; readonly content: string; readonly createdAt: Date } & (
  | {
      readonly role: 'user';
      /** When the visitor changed it, or took it back, on his platform; null where he did not. */
      readonly editedAt: Date | null;
      readonly deletedAt: Date | null;
    }
  | { readonly role: 'assistant'; readonly sources: readonly Source[]; readonly tokensUsed: number }
  | { readonly role: 'agent'; readonly author: string | null }
);

export const messageColumns = [
  'id',
  'role',
  'content',
  'created_at',
  'sources',
  'tokens_used',
  'author',
  'edited_at',
  'deleted_at',
  'position',
] as const satisfies readonly (keyof Tables['message'])[];

const roleSchema = z.enum(['user', 'assistant', 'agent']);
const sourcesSchema: z.ZodType<readonly Source[]> = z.array(
  z.object({
    documentId: z.string(),
    chunkId: z.string(),
    title: z.string(),
    url: z.string().nullable(),
    chunk: z.string(),
    score: z.number(),
  }),
);

export function messageOf(
  row: Pick<Selectable<Tables['message']>, (typeof messageColumns)[number]>,
): MessageRecord {
  const common = { id: row.id, content: row.content, createdAt: row.created_at };
  const role = roleSchema.parse(row.role);
  switch (role) {
    case 'user':
      return { ...common, role, editedAt: row.edited_at, deletedAt: row.deleted_at };
    case 'assistant':
      return {
        ...common,
        role,
        sources: sourcesSchema.parse(row.sources ?? []),
        tokensUsed: row.tokens_used ?? 0,
      };
    case 'agent':
      return { ...common, role, author: row.author };
  }
}
