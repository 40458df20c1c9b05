import { z } from 'zod';
import { type ExportedMessage, toTicket } from './conversation.ts';
import { readOwnHtml } from './own-words.ts';
import type { Omission, Ticket } from './ticket.ts';
import { idSchema, listOf, timeSchema } from './values.ts';

const authorSchema = z.object({ type: z.string().nullish(), name: z.string().nullish() });

const partSchema = z.object({
  part_type: z.string().nullish(),
  body: z.string().nullish(),
  created_at: timeSchema,
  author: authorSchema.nullish(),
});

const openingSchema = z.object({
  subject: z.string().nullish(),
  body: z.string().nullish(),
  author: authorSchema.nullish(),
  delivered_as: z.string().nullish(),
});

const conversationSchema = z.object({
  id: idSchema,
  created_at: timeSchema,
  /** `conversation_message` in older exports. */
  source: openingSchema.nullish(),
  conversation_message: openingSchema.nullish(),
  conversation_parts: z
    .union([z.object({ conversation_parts: listOf(partSchema) }), listOf(partSchema)])
    .nullish(),
  tags: z.union([z.object({ tags: listOf(tagSchema()) }), listOf(tagSchema())]).nullish(),
  conversation_rating: z.object({ rating: z.number().nullish() }).nullish(),
  custom_attributes: z.object({ Language: z.string().nullish() }).nullish(),
});

function tagSchema() {
  return z.object({ name: z.string() });
}

/** Whether a record looks like a conversation of this format. */
export function isIntercomConversation(record: unknown): boolean {
  return z
    .object({ source: z.object({}) })
    .or(z.object({ conversation_message: z.object({}) }))
    .or(z.object({ conversation_parts: z.object({}).or(z.array(z.unknown())) }))
    .safeParse(record).success;
}

/** Reads a conversation with its parts. */
export function readIntercomConversation(record: unknown): Ticket | Omission {
  const { data: conversation } = conversationSchema.safeParse(record);
  if (conversation === undefined) return 'unreadable';
  const opening = conversation.source ?? conversation.conversation_message;
  const listed = conversation.conversation_parts;
  const parts = Array.isArray(listed) ? listed : (listed?.conversation_parts ?? []);
  const tags = Array.isArray(conversation.tags) ? conversation.tags : (conversation.tags?.tags ?? []);
  const first: ExportedMessage = {
    by: opening?.delivered_as === 'automated' ? 'system' : sideOf(opening?.author?.type),
    at: conversation.created_at,
    text: readOwnHtml(opening?.body ?? ''),
  };
  const others = parts.map((part): ExportedMessage => {
    const isSaid = SAID.has(part.part_type ?? '');
    return {
      by: isSaid ? sideOf(part.author?.type) : 'system',
      at: part.created_at,
      text: readOwnHtml(part.body ?? ''),
    };
  });
  return toTicket({
    id: conversation.id,
    subject: readOwnHtml(opening?.subject ?? ''),
    messages: [first, ...others.toSorted(byTime)],
    language: languageCode(conversation.custom_attributes?.Language),
    tags: tags.map(({ name }) => name),
    rating: ratingOf(conversation.conversation_rating?.rating),
    names: [opening, ...parts].flatMap((one) => one?.author?.name ?? []),
  });
}

/** Parts that hold words to the other side. An assignment or a closing may bring a comment. */
const SAID: ReadonlySet<string> = new Set(['comment', 'open', 'close', 'assignment']);

function sideOf(type: string | null | undefined): ExportedMessage['by'] {
  if (type === 'user' || type === 'lead' || type === 'contact') return 'customer';
  return type === 'admin' || type === 'team' ? 'agent' : 'system';
}

function byTime(one: ExportedMessage, other: ExportedMessage): number {
  return (one.at?.getTime() ?? 0) - (other.at?.getTime() ?? 0);
}

function languageCode(language: string | null | undefined): string | null {
  return /^[a-z]{2}(?=$|[-_])/u.exec(language?.toLowerCase() ?? '')?.[0] ?? null;
}

function ratingOf(rating: number | null | undefined): number | null {
  return rating != null && rating >= 1 && rating <= 5 ? Math.round(rating) : null;
}
