import { sql } from 'kysely';
import { z } from 'zod';
import { isHumanRequest } from '../answering/skills/escalate-to-human/escalate-to-human.ts';
import { findSmallTalk } from '../answering/small-talk/small-talk.ts';

/** The last words of a conversation, as plain text. */
export interface LastLine {
  readonly role: 'user' | 'assistant' | 'agent';
  readonly text: string;
  /** The name of the agent who wrote it. */
  readonly author: string | null;
  /** Null if the agent no longer exists. */
  readonly authorId: string | null;
  readonly at: Date;
}

/** The number of a visitor's messages that are searched for their last words. */
const readMessages = 5;
/** The number of characters of a message that are read, and of those that a list shows. */
const readChars = 400;
const shownChars = 200;

/** Joins the last message of `conversation` as `last`, and the latest message of a visitor who waits as `waiting`. */
export const lastLines = sql`
  left join lateral (
    select role, left(coalesce(nullif(content, ''), (
           select string_agg(file ->> 'name', ', ') from jsonb_array_elements(
             case when role = 'agent' and jsonb_typeof(metadata -> 'attachments') = 'array'
                  then metadata -> 'attachments' else '[]' end
           ) as file
         ), ''), ${readChars}) as text, message.author, author.name as author_name, author.id as author_id,
         message.created_at as at
    from message left join person author on author.id =
      coalesce(message.person_id, (select id from person where email = lower(message.author)))
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
  const name = row.last_author_name ?? (row.last_author === null ? null : readableAuthor(row.last_author));
  return {
    role,
    text: plainLine(row.last_text ?? ''),
    author: role === 'agent' ? name : null,
    authorId: row.last_author_id,
    at: row.last_at,
  };
}

/**
 * Returns the last question of a visitor who waits, without courtesies and the wish for a person; null if nobody
 * waits.
 */
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
  let rest = withoutLinks(text.slice(0, readChars));
  for (const mark of ['**', '__', '~~', '`']) rest = rest.replaceAll(mark, '');
  const lines = rest.split('\n').map((line) => {
    const words = line.split(' ').filter((word) => word.trim() !== '');
    return (lineMarks.includes(words[0] ?? '') ? words.slice(1) : words).map(withoutEmphasis).join(' ');
  });
  return lines
    .filter((line) => line !== '')
    .join(' ')
    .trim()
    .slice(0, shownChars);
}

const lineMarks = ['#', '##', '###', '####', '#####', '######', '>', '-', '*', '+'];

/** Leaves the words of links: `[words](address)`. */
function withoutLinks(text: string): string {
  const [first = '', ...more] = text.split('](');
  return more.reduce((before, part) => {
    const start = before.lastIndexOf('[');
    const end = part.indexOf(')');
    if (start < 0 || end < 0) return `${before}](${part}`;
    const from = before[start - 1] === '!' ? start - 1 : start;
    return before.slice(0, from) + before.slice(start + 1) + part.slice(end + 1);
  }, first);
}

function withoutEmphasis(word: string): string {
  if (word.length < 2) return word;
  const end = '.,;:!?'.includes(word.slice(-1)) ? word.slice(-1) : '';
  const inner = word.slice(0, word.length - end.length);
  const isMark = (char: string) => char === '*' || char === '_';
  const from = isMark(inner.slice(0, 1)) ? 1 : 0;
  const to = inner.length > from && isMark(inner.slice(-1)) ? inner.length - 1 : inner.length;
  return inner.slice(from, to) + end;
}

/** The number of characters of a message that are searched for sentences. */
const mostChars = 10_000;

/** Returns the sentences of a visitor's message that ask or say something: no greetings, thanks, or wish for a person. */
export function findSubstance(content: string): string {
  const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(
    content.slice(0, mostChars),
  );
  const said = [...sentences].filter(({ segment }) => {
    const sentence = segment.trim();
    return sentence !== '' && findSmallTalk(sentence, 'en') === null && !isHumanRequest(sentence);
  });
  return said
    .map(({ segment }) => segment)
    .join('')
    .trim();
}

/** The name of an author without an account here: an integrator stated them, mostly by an address. */
function readableAuthor(author: string): string {
  const [local = ''] = author.split('@', 1);
  const words = local.split(/[^\p{L}\p{M}']+/u).filter((word) => word !== '');
  return words.map((word) => word.slice(0, 1).toLocaleUpperCase('en') + word.slice(1)).join(' ') || '…';
}
