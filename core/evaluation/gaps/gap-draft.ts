import { type Kysely, sql } from 'kysely';
import { extractWordKeys } from '../../answering/generated/word-keys.ts';
import { AppError } from '../../base/errors.ts';
import { truncateText } from '../../base/text.ts';
import { curatedLimits, toQuestionKey } from '../../knowledge/curated/curated-answer.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { findQuestions } from './gaps.ts';
import { maskWords } from './mask-words.ts';

/** The reply of an agent in a conversation of a gap. */
export interface AgentReply {
  readonly messageId: string;
  readonly conversationId: string;
  readonly author: string | null;
  readonly at: Date;
  /** Masked. */
  readonly text: string;
}

/** A curated answer to begin with. */
export interface GapDraft {
  readonly question: string;
  readonly phrasings: readonly string[];
  /** The reply that has most in common with the others; null if nobody replied. */
  readonly answer: string | null;
  /** The replies, the one of `answer` first. */
  readonly replies: readonly AgentReply[];
}

const MAX_REPLIES = 10;

/** Makes a draft for a gap from what agents wrote in its conversations. Throws `gap_not_found`. */
export async function draftForGap(
  database: Kysely<Tables>,
  target: { readonly workspaceId: string; readonly id: string },
): Promise<GapDraft> {
  const questions = await findQuestions(database, target);
  const [first] = questions;
  if (first === undefined) throw new AppError('gap_not_found');
  const replies = orderReplies(await findReplies(database, target));
  const wordings = new Map(questions.map(({ text }) => [toQuestionKey(text), shorten(text)]));
  wordings.delete(toQuestionKey(first.text));
  wordings.delete('');
  return {
    question: shorten(first.text),
    phrasings: [...wordings.values()].slice(0, curatedLimits.phrasings),
    answer: replies[0] === undefined ? null : dropGreeting(replies[0].text),
    replies,
  };
}

function shorten(text: string): string {
  return truncateText(text.replace(/\s+/gu, ' ').trim(), curatedLimits.questionCharacters);
}

interface ReplyRow {
  readonly id: string;
  readonly conversation_id: string;
  readonly author: string | null;
  readonly created_at: Date;
  readonly content: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
}

/** Returns the first reply of a person after each question, the latest first. */
async function findReplies(
  database: Kysely<Tables>,
  { workspaceId, id }: { readonly workspaceId: string; readonly id: string },
): Promise<readonly AgentReply[]> {
  const { rows } = await sql<ReplyRow>`
    select * from (
      select distinct on (reply.id) reply.id, reply.conversation_id, reply.author, reply.created_at, reply.content,
             customer_name as name, customer_email as email, customer_phone as phone
      from gap_question
      join conversation on conversation.id = gap_question.conversation_id
      join message as answer on answer.id = gap_question.message_id
      cross join lateral (
        select id, conversation_id, author, created_at, content from message
        where message.conversation_id = answer.conversation_id and message.role = 'agent'
          and message.position > answer.position and message.deleted_at is null and message.content <> ''
        order by message.position limit 1
      ) as reply
      where gap_question.workspace_id = ${workspaceId} and gap_question.gap_id = ${id}
    ) as found
    order by created_at desc, id desc
    limit ${MAX_REPLIES}
  `.execute(database);
  return rows.map((row) => ({
    messageId: row.id,
    conversationId: row.conversation_id,
    author: row.author,
    at: row.created_at,
    text: maskWords(row.content, row),
  }));
}

/** Puts the reply first whose words most of the others have too. Pure. */
export function orderReplies(replies: readonly AgentReply[]): readonly AgentReply[] {
  const words = replies.map(({ text }) => new Set(extractWordKeys(text).map(({ hash }) => hash)));
  const shared = words.map((own, index) =>
    words.reduce((sum, other, place) => (place === index ? sum : sum + overlap(own, other)), 0),
  );
  return replies
    .map((reply, index) => ({ reply, shared: shared[index] ?? 0 }))
    .toSorted((one, other) => other.shared - one.shared)
    .map(({ reply }) => reply);
}

/** The share of words that two texts have in common. */
function overlap(one: ReadonlySet<number>, other: ReadonlySet<number>): number {
  const all = new Set([...one, ...other]).size;
  return all === 0 ? 0 : [...one].filter((word) => other.has(word)).length / all;
}

const GREETING =
  /^(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)|hallo|guten (?:tag|morgen|abend)|liebe[r]?|sehr geehrte[r]?)(?: [^\n,!.]{0,60})?[,!.](?:\s+|$)/iu;

/** A greeting is for one visitor, not for all. */
function dropGreeting(text: string): string {
  const rest = text.trim().replace(GREETING, '').trim();
  if (rest === '') return text.trim();
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}
