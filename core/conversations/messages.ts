import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import type { Source } from '../answering/answer.ts';
import type { Attachment } from '../contract/inbound.ts';
import type { Confidence } from '../knowledge/ranking/rank-candidates.ts';
import { isUnspaced, splitFoldedWords, termHash, tokeniseWord } from '../knowledge/text/tokens.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { type Opinion, opinions } from './conversation-values.ts';

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

export function messageFromRow(row: Row): MessageRecord {
  const common = { id: row.id, content: row.content, createdAt: row.created_at };
  const role = roleSchema.parse(row.role);
  switch (role) {
    case 'user':
      return {
        ...common,
        role,
        attachments: parseAttachments(row.metadata),
        editedAt: row.edited_at,
        deletedAt: row.deleted_at,
      };
    case 'assistant':
      return {
        ...common,
        role,
        sources: sourcesSchema.parse(row.sources ?? []),
        tokensUsed: row.tokens_used ?? 0,
        feedback: feedbackFromRow(row),
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

function feedbackFromRow({ feedback, feedback_comment: comment, feedback_at: at }: Row): Feedback | null {
  const value = opinionSchema.parse(feedback);
  return value === null || at === null ? null : { value, comment, at };
}

const attachmentSchema = z.object({
  kind: z.enum(['image', 'audio', 'video', 'file', 'other']),
  name: z.string().nullable(),
  contentType: z.string().nullable(),
  bytes: z.int().nullable(),
  reference: z.string(),
});
const metadataSchema = z.object({ attachments: z.array(attachmentSchema) });

/** The files that came with a message; what an integrator keeps with his own under that name is none. */
export function parseAttachments(metadata: unknown): readonly Attachment[] {
  return metadataSchema.safeParse(metadata).data?.attachments ?? [];
}

/** A message of more different words than this is found by its first ones: no index entry may grow without end. */
const maxTerms = 2_000;

/**
 * What a message is found by: the distinct hashes of its words, of any language, in 32 bits each. A search asks for
 * the terms of its own words, so both sides are made here. They are hashed together with the workspace's id, so that
 * no workspace's searches walk through the lists of another. Deterministic.
 */
export function extractSearchTerms(workspaceId: string, text: string): readonly number[] {
  const terms = new Set<number>();
  for (const word of splitFoldedWords(text, 'stems')) {
    for (const token of searchTokens(word)) {
      if (terms.size === maxTerms) return [...terms];
      terms.add(termHash(`${workspaceId} ${token}`));
    }
  }
  return [...terms];
}

/**
 * Unlike the index of documents this one has no notion of a language, for a search of two words tells too little of
 * it; and it keeps stop words, for who looks for "not" means it. Where no space parts words, every character and
 * every pair counts: where a dictionary would part them depends on what stands around them.
 */
function searchTokens(word: string): readonly string[] {
  if (isUnspaced(word)) {
    const characters = Array.from(word);
    return [
      ...characters,
      ...characters.slice(1).map((character, index) => `${characters[index]}${character}`),
    ];
  }
  const tokens = tokeniseWord(word, 'stems');
  return tokens.length === 0 ? [word] : tokens;
}

/** What became of a message on its way to its visitor's platform. */
export const deliveryStatuses = ['queued', 'sent', 'delivered', 'read', 'failed', 'withheld'] as const;

export interface MessageDelivery {
  readonly status: (typeof deliveryStatuses)[number];
  /** Why it failed or is withheld, or why the last try did not succeed. */
  readonly reason: string | null;
  readonly at: Date;
}

const partSchema = z.object({
  status: z.enum([
    ...['waiting', 'held', 'collectable', 'sent', 'delivered', 'read', 'failed', 'dead', 'withheld'],
  ] as const),
  reason: z.string().nullable(),
  at: z.coerce.date(),
});
const partsSchema = z.array(partSchema).nullish();

type Part = z.output<typeof partSchema>;

/** How far a part came that was sent. */
const progress = ['sent', 'delivered', 'read'] as const;

/**
 * The delivery of a message from the rows of its parts, in their order; null where it has none, so nothing is sent.
 * `failed` if a part failed; else `queued` while one waits to be sent or collected; else as far as the least of those
 * that were sent came; `withheld` where none was sent. Parts that are kept until the visitor asks for more do not count.
 */
export function readDelivery(rows: unknown): MessageDelivery | null {
  const parts = partsSchema.parse(rows) ?? [];
  if (parts.length === 0) return null;
  const ofStatus = (...statuses: readonly Part['status'][]) =>
    parts.filter(({ status }) => statuses.includes(status));
  const failed = ofStatus('failed', 'dead');
  // It failed with the first of them.
  const [first] = failed.toSorted((one, other) => one.at.getTime() - other.at.getTime());
  if (first !== undefined) return { status: 'failed', reason: first.reason, at: first.at };
  const queued = ofStatus('waiting', 'collectable');
  if (queued.length > 0) return summarize('queued', queued);
  const withheld = ofStatus('withheld');
  const sent = ofStatus(...progress);
  const least = progress.find((status) => sent.some((part) => part.status === status));
  if (least !== undefined) {
    const { status, at } = summarize(least, sent);
    return { status, reason: reasonOf([...withheld, ...sent]), at };
  }
  return withheld.length > 0 ? summarize('withheld', withheld) : summarize('queued', parts);
}

function summarize(status: MessageDelivery['status'], parts: readonly Part[]): MessageDelivery {
  const at = new Date(Math.max(...parts.map((part) => part.at.getTime())));
  return { status, reason: reasonOf(parts), at };
}

/** The first that there is. */
function reasonOf(parts: readonly Part[]): string | null {
  return parts.find(({ reason }) => reason !== null)?.reason ?? null;
}
