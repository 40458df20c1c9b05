import { sql } from 'kysely';
import { z } from 'zod';
import { toAgentName } from '../visitors/visitor-conversation.ts';
import { findSubstance } from './visitor-words.ts';

/** What was last said in a conversation, as plain text. */
export interface LastLine {
  readonly role: 'user' | 'assistant' | 'agent';
  readonly text: string;
  /** The name of the agent who wrote it. */
  readonly author: string | null;
  /** Null if nobody knows them any more. */
  readonly authorId: string | null;
  readonly at: Date;
}

/** Messages of a visitor in which their last words are looked for. */
const readMessages = 5;
/** Characters of a message that are read, and those that a list shows. */
const readChars = 400;
const shownChars = 200;

/** Joins the last message of `conversation` as `last`, and what its visitor wrote last, if they wait, as `waiting`. */
export const lastLines = sql`
  left join lateral (
    select role, left(coalesce(nullif(content, ''), (
           select string_agg(file ->> 'name', ', ') from jsonb_array_elements(
             case when role = 'agent' and jsonb_typeof(metadata -> 'attachments') = 'array'
                  then metadata -> 'attachments' else '[]' end
           ) as file
         ), ''), ${readChars}) as text, message.author, author.name as author_name, author.id as author_id,
         message.created_at as at
    from message left join person author on author.email = lower(message.author)
    where message.conversation_id = conversation.id and message.purpose is null
    order by message.position desc limit 1
  ) last on true
  left join lateral (
    select array_agg(text order by position desc) as texts from (
      select left(content, ${readChars}) as text, position from message
      where message.conversation_id = conversation.id and role = 'user' and purpose is null and content <> ''
        and conversation.handover_since is not null and conversation.unanswered_since is not null
      order by position desc limit ${readMessages}
    ) recent
  ) waiting on true`;

/** The columns of `lastLines`. */
export const lastLineColumns = sql`
  last.role as last_role, last.text as last_text, last.author as last_author, last.author_name as last_author_name,
  last.author_id as last_author_id, last.at as last_at, waiting.texts as visitor_texts`;

export interface LastLineRow {
  readonly last_role: string | null;
  readonly last_text: string | null;
  readonly last_author: string | null;
  readonly last_author_name: string | null;
  readonly last_author_id: string | null;
  readonly last_at: Date | null;
  readonly visitor_texts: readonly string[] | null;
}

const roleSchema = z.enum(['user', 'assistant', 'agent']);

export function parseLastLine(row: LastLineRow): LastLine | null {
  if (row.last_role === null || row.last_at === null) return null;
  const role = roleSchema.parse(row.last_role);
  const name = row.last_author_name ?? (row.last_author === null ? null : toAgentName(row.last_author));
  return {
    role,
    text: plainLine(row.last_text ?? ''),
    author: role === 'agent' ? name : null,
    authorId: row.last_author_id,
    at: row.last_at,
  };
}

/** Returns what a visitor who waits asked last, without courtesies and the wish for a person; null if nobody waits. */
export function findVisitorWords({ visitor_texts: texts }: LastLineRow): string | null {
  const [latest] = texts ?? [];
  if (latest === undefined) return null;
  for (const text of texts ?? []) {
    const words = findSubstance(text);
    if (words !== '') return plainLine(words);
  }
  return plainLine(latest);
}

/** Returns a text in one line, without the marks of Markdown. */
export function plainLine(text: string): string {
  return text
    .slice(0, readChars)
    .replace(/!?\[([^\][]{0,200})\]\([^()\s]{0,400}\)/g, '$1')
    .replace(/^[ \t]{0,3}(?:#{1,6}[ \t]|>[ \t]?|[-*+][ \t]|`{3,}\w{0,20}$)/gm, '')
    .replace(/\*{1,3}(?=\S)([^*\n]{1,400})(?<=\S)\*{1,3}/g, '$1')
    .replace(/(?<![\p{L}\p{N}_])_{1,3}(?=\S)([^_\n]{1,400})(?<=\S)_{1,3}(?![\p{L}\p{N}_])/gu, '$1')
    .replace(/~~([^~\n]{1,400})~~|`([^`\n]{1,400})`/g, '$1$2')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, shownChars);
}
