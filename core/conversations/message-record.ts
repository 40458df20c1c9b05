import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Source } from '../answering/answer.ts';
import type { Attachment } from '../contract/inbound-event.ts';
import type { Tables } from '../storage/tables.ts';
import { type Opinion, opinions } from './conversation-values.ts';
import { messageAttachments } from './message-attachments.ts';

/** What a visitor thinks of an answer; `comment` is null where he said no more. */
export interface Feedback {
  readonly value: Opinion;
  readonly comment: string | null;
  readonly at: Date;
}

/** What a visitor, the engine or a person said. */
export type MessageRecord = { readonly id: string; readonly content: string; readonly createdAt: Date } & (
  | {
      readonly role: 'user';
      readonly attachments: readonly Attachment[];
      /** When the visitor changed it, or took it back, on his platform; null where he did not. */
      readonly editedAt: Date | null;
      readonly deletedAt: Date | null;
    }
  | {
      readonly role: 'assistant';
      readonly sources: readonly Source[];
      readonly tokensUsed: number;
      readonly feedback: Feedback | null;
    }
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
  'feedback',
  'feedback_comment',
  'feedback_at',
  'position',
  'metadata',
] as const satisfies readonly (keyof Tables['message'])[];

const roleSchema = z.enum(['user', 'assistant', 'agent']);
const opinionSchema = z.enum(opinions).nullable();
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

type Row = Pick<Selectable<Tables['message']>, (typeof messageColumns)[number]>;

export function messageOf(row: Row): MessageRecord {
  const common = { id: row.id, content: row.content, createdAt: row.created_at };
  const role = roleSchema.parse(row.role);
  switch (role) {
    case 'user':
      return {
        ...common,
        role,
        attachments: messageAttachments(row.metadata),
        editedAt: row.edited_at,
        deletedAt: row.deleted_at,
      };
    case 'assistant':
      return {
        ...common,
        role,
        sources: sourcesSchema.parse(row.sources ?? []),
        tokensUsed: row.tokens_used ?? 0,
        feedback: feedbackOf(row),
      };
    case 'agent':
      return { ...common, role, author: row.author };
  }
}

function feedbackOf({ feedback, feedback_comment: comment, feedback_at: at }: Row): Feedback | null {
  const value = opinionSchema.parse(feedback);
  return value === null || at === null ? null : { value, comment, at };
}
