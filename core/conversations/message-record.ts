import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import type { Source } from '../answering/answer.ts';
import type { Attachment } from '../contract/inbound-event.ts';
import type { Confidence } from '../knowledge/confidence.ts';
import type { Tables } from '../storage/tables.ts';
import { type Opinion, opinions } from './conversation-values.ts';
import { messageAttachments } from './message-attachments.ts';
import { type MessageDelivery, readDelivery } from './message-delivery.ts';

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
      /** Null where nothing is sent, as on the API channel. */
      readonly delivery: MessageDelivery | null;
      /** Why it is not whole; null where it is. */
      readonly ended: 'cancelled' | 'timed_out' | null;
      /** Null, all four, of answers from before they were stored. */
      readonly confidence: Confidence | null;
      readonly score: number | null;
      readonly latencyMs: number | null;
      readonly skillsFired: readonly string[] | null;
    }
  | { readonly role: 'agent'; readonly author: string | null; readonly delivery: MessageDelivery | null }
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
  'confidence',
  'score',
  'latency_ms',
  'skills_fired',
  'ended',
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

/** The parts of a message in which it is sent, for `messageOf`; to be selected beside `messageColumns`. */
export const messageParts = sql<unknown>`(
  select jsonb_agg(jsonb_build_object(
    'status', status, 'reason', failure,
    'at', case when status in ('waiting', 'held', 'collectable') then created_at
               when status = 'sent' then coalesce(sent_at, created_at)
               else coalesce(status_at, sent_at, created_at) end) order by part)
  from outbound_part where message_id = message.id and message.role <> 'user'
)`.as('parts');

type Row = Pick<Selectable<Tables['message']>, (typeof messageColumns)[number]> & {
  /** Absent where nobody asks for the delivery. */
  readonly parts?: unknown;
};

const endedSchema = z
  .enum(['cancelled', 'timeout'])
  .transform((ended) => (ended === 'timeout' ? 'timed_out' : ended))
  .nullable();
const confidenceSchema = z.enum(['high', 'medium', 'low']).nullable();

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
        delivery: readDelivery(row.parts),
        ended: endedSchema.parse(row.ended),
        confidence: confidenceSchema.parse(row.confidence),
        score: row.score === null ? null : Math.round(row.score * 10_000) / 10_000,
        latencyMs: row.latency_ms,
        skillsFired: row.skills_fired,
      };
    case 'agent':
      return { ...common, role, author: row.author, delivery: readDelivery(row.parts) };
  }
}

function feedbackOf({ feedback, feedback_comment: comment, feedback_at: at }: Row): Feedback | null {
  const value = opinionSchema.parse(feedback);
  return value === null || at === null ? null : { value, comment, at };
}
