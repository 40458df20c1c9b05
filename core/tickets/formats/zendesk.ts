import { z } from 'zod';
import { type ExportedConversation, toTicket } from './conversation.ts';
import { readOwnHtml, readOwnWords } from './own-words.ts';
import type { Omission, Ticket } from './ticket.ts';
import { idSchema, listOf, timeSchema } from './values.ts';

const personSchema = z.object({
  id: idSchema,
  name: z.string().nullish(),
  locale: z.string().nullish(),
});

const commentSchema = z.object({
  author_id: idSchema.nullish(),
  author: personSchema.nullish(),
  body: z.string().nullish(),
  plain_body: z.string().nullish(),
  html_body: z.string().nullish(),
  public: z.boolean().default(true),
  created_at: timeSchema,
  via: z.object({ channel: z.union([z.string(), z.number()]).nullish() }).nullish(),
});

const ticketSchema = z.object({
  id: idSchema,
  created_at: timeSchema,
  subject: z.string().nullish(),
  description: z.string().nullish(),
  requester_id: idSchema.nullish(),
  requester: personSchema.nullish(),
  assignee: personSchema.nullish(),
  tags: listOf(z.string()),
  satisfaction_rating: z.object({ score: z.string().nullish() }).nullish(),
  comments: listOf(commentSchema),
});

/** Whether a record looks like a ticket of this format. */
export function isZendeskTicket(record: unknown): boolean {
  return z
    .object({ requester_id: z.unknown().refine((id) => id != null) })
    .or(z.object({ requester: z.object({}), comments: z.array(z.unknown()) }))
    .safeParse(record).success;
}

/** Reads a ticket of a JSON export with its comments. */
export function readZendeskTicket(record: unknown): Ticket | Omission {
  const { data: ticket } = ticketSchema.safeParse(record);
  if (ticket === undefined) return 'unreadable';
  const customer = ticket.requester_id ?? ticket.requester?.id ?? null;
  const byTime = ticket.comments.toSorted(
    (one, other) => (one.created_at?.getTime() ?? 0) - (other.created_at?.getTime() ?? 0),
  );
  const messages = byTime.map((comment): ExportedConversation['messages'][number] => ({
    by: authorOf(comment, customer),
    at: comment.created_at ?? ticket.created_at,
    text: textOf(comment),
  }));
  return toTicket({
    id: ticket.id,
    subject: ticket.subject ?? '',
    messages,
    language: ticket.requester?.locale?.toLowerCase().split(/[-_]/u, 1)[0] ?? null,
    tags: ticket.tags,
    rating: ratingOf(ticket.satisfaction_rating?.score ?? ''),
    names: [
      ...[ticket.requester, ticket.assignee, ...byTime.map(({ author }) => author)].flatMap(
        (person) => person?.name ?? [],
      ),
    ],
  });
}

type Comment = z.output<typeof commentSchema>;

function authorOf({ author_id, author, public: isPublic, via }: Comment, customer: string | null) {
  if (!isPublic || via?.channel === 'rule' || via?.channel === 'system') return 'system';
  return (author_id ?? author?.id ?? null) === customer ? 'customer' : 'agent';
}

function textOf({ plain_body: plain, body, html_body: html }: Comment): string {
  const text = plain ?? body ?? '';
  return text.trim() === '' ? readOwnHtml(html ?? '') : readOwnWords(text.replaceAll('&nbsp;', ' '));
}

function ratingOf(score: string): number | null {
  if (score.startsWith('good')) return 5;
  return score.startsWith('bad') ? 1 : null;
}
