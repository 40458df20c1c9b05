import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import {
  type Citation,
  type Confidence,
  placeSchema,
  roundScore,
  type Source,
  type Tier,
} from '../../contract/answer.ts';
import { type Opinion, opinions } from '../../contract/conversation-values.ts';
import type { Attachment } from '../../contract/inbound.ts';
import { isUnspaced, termHash, tokeniseWord } from '../../language/tokens.ts';
import { fold, splitWords } from '../../language/words.ts';
import type { Tables } from '../../storage/tables/tables.ts';

/** A visitor's rating of an answer; `comment` is null if they gave none. */
export interface Feedback {
  readonly value: Opinion;
  readonly comment: string | null;
  readonly at: Date;
}

/** A message of a visitor, the engine or an agent. */
export type MessageRecord = { readonly id: string; readonly content: string; readonly createdAt: Date } & (
  | {
      readonly role: 'user';
      /** The metadata that an integrator or a widget sent with the message; null if there is none. */
      readonly metadata: Readonly<Record<string, unknown>> | null;
      readonly attachments: readonly Attachment[];
      /** When the visitor edited or deleted the message on the platform; null if they did not. */
      readonly editedAt: Date | null;
      readonly deletedAt: Date | null;
    }
  | {
      readonly role: 'assistant';
      readonly sources: readonly Source[];
      /** Empty for answers stored before the column existed. */
      readonly citations: readonly Citation[];
      readonly tokensUsed: number;
      readonly feedback: Feedback | null;
      /** Null if nothing is sent, as on the API channel. */
      readonly delivery: MessageDelivery | null;
      /** Why the answer is incomplete; null if it is complete. */
      readonly ended: 'cancelled' | 'timed_out' | null;
      /** These are null for messages that answer nothing, such as a question for a rating. */
      readonly confidence: Confidence | null;
      readonly score: number | null;
      readonly latencyMs: number | null;
      readonly skillsFired: readonly string[] | null;
      readonly tier: Tier | null;
      /** Also null if the answer is not quoted from documents. */
      readonly probability: number | null;
      readonly isGenerated: boolean | null;
      readonly isQuoted: boolean | null;
      /** The sentence that answers; also null if it is the content. */
      readonly lead: string | null;
      /** The sentence that a machine answers, which went out before the text; null if none did, or it was not selected. */
      readonly disclosure: string | null;
    }
  | {
      readonly role: 'agent';
      readonly author: string | null;
      readonly delivery: MessageDelivery | null;
      readonly attachments: readonly Attachment[];
    }
);

export const messageColumns = [
  'id',
  'role',
  'content',
  'created_at',
  'sources',
  'citations',
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
  'tier',
  'probability',
  'ai_generated',
  'quoted',
  'lead',
] as const satisfies readonly (keyof Tables['message'])[];

const roleSchema = z.enum(['user', 'assistant', 'agent']);
const opinionSchema = z.enum(opinions).nullable();
export const sourcesSchema: z.ZodType<readonly Source[]> = z.array(
  z.object({
    documentId: z.string(),
    chunkId: z.string(),
    title: z.string(),
    url: z.string().nullable(),
    // Answers of earlier versions have neither.
    headings: z.array(z.string()).default([]),
    changedAt: z.coerce.date().nullable().default(null),
    chunk: z.string(),
    place: placeSchema.nullable(),
    score: z.number(),
  }),
);

const citationsSchema: z.ZodType<readonly Citation[]> = z.array(
  z.object({ start: z.int(), end: z.int(), chunkIds: z.array(z.string()) }),
);

/** The delivery parts of a message, as `messageFromRow` reads them; select it together with `messageColumns`. */
export const messageParts = sql<unknown>`(
  select jsonb_agg(jsonb_build_object(
    'status', status, 'reason', failure,
    'at', case when status in ('waiting', 'held', 'collectable') then created_at
               when status = 'sent' then coalesce(sent_at, created_at)
               else coalesce(status_at, sent_at, created_at) end) order by part)
  from outbound_part where message_id = message.id and message.role <> 'user'
)`.as('parts');

type Row = Pick<Selectable<Tables['message']>, (typeof messageColumns)[number]> & {
  /** Absent if the delivery was not selected. */
  readonly parts?: unknown;
  /** Absent if it was not selected. */
  readonly disclosure?: string | null;
};

const endedSchema = z
  .enum(['cancelled', 'timeout'])
  .transform((ended) => (ended === 'timeout' ? 'timed_out' : ended))
  .nullable();
const confidenceSchema = z.enum(['high', 'medium', 'low']).nullable();
const tierSchema = z.enum(['answer', 'maybe', 'none']).nullable();

export function messageFromRow(row: Row): MessageRecord {
  const common = { id: row.id, content: row.content, createdAt: row.created_at };
  const role = roleSchema.parse(row.role);
  switch (role) {
    case 'user':
      return {
        ...common,
        role,
        metadata: readOwnMetadata(row.metadata),
        attachments: parseAttachments(row.metadata),
        editedAt: row.edited_at,
        deletedAt: row.deleted_at,
      };
    case 'assistant':
      return {
        ...common,
        role,
        sources: sourcesSchema.parse(row.sources ?? []),
        citations: citationsSchema.parse(row.citations ?? []),
        tokensUsed: row.tokens_used ?? 0,
        feedback: feedbackFromRow(row),
        delivery: readDelivery(row.parts),
        ended: endedSchema.parse(row.ended),
        confidence: confidenceSchema.parse(row.confidence),
        score: row.score === null ? null : roundScore(row.score),
        latencyMs: row.latency_ms,
        skillsFired: row.skills_fired,
        tier: tierSchema.parse(row.tier),
        probability: row.probability === null ? null : roundScore(row.probability),
        isGenerated: row.ai_generated,
        isQuoted: row.quoted,
        lead: row.lead,
        disclosure: row.disclosure ?? null,
      };
    case 'agent':
      return {
        ...common,
        role,
        author: row.author,
        delivery: readDelivery(row.parts),
        attachments: parseAttachments(row.metadata),
      };
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
  url: z.string().exactOptional(),
  transcript: z.string().exactOptional(),
  description: z.string().exactOptional(),
});
const metadataSchema = z.object({ attachments: z.array(attachmentSchema) });

/**
 * Returns the files of a message. An integrator's own metadata under the same name does not match the schema and is
 * ignored.
 */
export function parseAttachments(metadata: unknown): readonly Attachment[] {
  return metadataSchema.safeParse(metadata).data?.attachments ?? [];
}

/** The fields that connectors and the product itself store with a message. */
const internalFields = new Set(['attachments', 'channel_message_ids', 'channel_texts', 'parked', 'sender']);
const anyMetadataSchema = z.record(z.string(), z.unknown());

/** Returns the metadata without the fields that connectors store; null if nothing is left. Pure. */
export function readOwnMetadata(metadata: unknown): Readonly<Record<string, unknown>> | null {
  const fields = Object.entries(anyMetadataSchema.safeParse(metadata).data ?? {});
  const own = fields.filter(([name]) => !internalFields.has(name));
  return own.length === 0 ? null : Object.fromEntries(own);
}

/**
 * The maximum number of indexed terms for each message, which bounds the index entry. Further words cannot be searched
 * for.
 */
const maxTerms = 2_000;

/**
 * Returns the search terms of a text: 32-bit hashes of its distinct words, in any language. A search computes the terms
 * of its own words, so both sides use this function. The workspace's id is hashed with each word, so that a search does
 * not scan the posting lists of other workspaces. Deterministic.
 */
export function extractSearchTerms(workspaceId: string, text: string): readonly number[] {
  const terms = new Set<number>();
  for (const word of splitWords(fold(text))) {
    for (const token of searchTokens(word)) {
      if (terms.size === maxTerms) return [...terms];
      terms.add(termHash(`${workspaceId} ${token}`));
    }
  }
  return [...terms];
}

/**
 * Unlike the document index, this index is not language-specific, because a query of two words reveals too little about
 * its language. It keeps stop words, because agents search for words such as "not". In scripts without spaces, every
 * character and every pair of characters is a term, because word boundaries there depend on context.
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

/** The delivery of a message to the visitor's platform. */
export const deliveryStatuses = ['queued', 'sent', 'delivered', 'read', 'failed', 'withheld'] as const;

export interface MessageDelivery {
  readonly status: (typeof deliveryStatuses)[number];
  /** The reason of a failure or of withholding, or of the last failed attempt. */
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

/** The delivery of one part. `held`: the visitor has to ask for it first. */
export interface PartDelivery {
  readonly status: MessageDelivery['status'] | 'held';
  readonly reason: string | null;
  readonly at: Date;
}

const partStates = { waiting: 'queued', collectable: 'queued', dead: 'failed' } as const;

/** Returns the delivery of each part of a message, in their order, from the rows that `messageParts` selects. */
export function readPartDeliveries(rows: unknown): readonly PartDelivery[] {
  return (partsSchema.parse(rows) ?? []).map(({ status, ...part }) => ({
    ...part,
    status:
      status === 'waiting' || status === 'collectable' || status === 'dead' ? partStates[status] : status,
  }));
}

/** The states of a sent part, in order of progress. */
const progress = ['sent', 'delivered', 'read'] as const;

/**
 * Returns the delivery of a message from the rows of its parts, in order; null if it has no parts, so nothing is sent.
 * The status is `failed` if a part failed; otherwise `queued` while a part waits to be sent or collected; otherwise the
 * least progress of the sent parts; or `withheld` if none was sent. Parts held until the visitor asks for more do not
 * count.
 */
export function readDelivery(rows: unknown): MessageDelivery | null {
  const parts = partsSchema.parse(rows) ?? [];
  if (parts.length === 0) return null;
  const ofStatus = (...statuses: readonly Part['status'][]) =>
    parts.filter(({ status }) => statuses.includes(status));
  const failed = ofStatus('failed', 'dead');
  // The message failed at the time of its first failed part.
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

/** Returns the first reason among the parts. */
function reasonOf(parts: readonly Part[]): string | null {
  return parts.find(({ reason }) => reason !== null)?.reason ?? null;
}
