import { type Kysely, sql } from 'kysely';
import { type DecisionRecord, decisionRecordSchema, type Tiers } from '../../contract/answer.ts';
import { humanSkill } from '../../contract/skill.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import type { GapKind } from './cluster.ts';

const GAP_DAYS = 90;
const dayMs = 24 * 3_600_000;

/** Since when questions count. */
export function gapsSince(now: Date): Date {
  return new Date(now.getTime() - GAP_DAYS * dayMs);
}

/** An answer that left its visitor without one, and is in no gap yet. */
export interface Unanswered {
  readonly messageId: string;
  readonly conversationId: string;
  readonly askedAt: Date;
  readonly isLow: boolean;
  readonly isDisliked: boolean;
  readonly score: number;
  /** Null for canned replies, and after the visitor edited or deleted an earlier message. */
  readonly decision: DecisionRecord | null;
  /** The visitor's messages before it, the latest first, at most two. */
  readonly asked: readonly { readonly id: string; readonly content: string }[];
}

interface UnansweredRow {
  readonly id: string;
  readonly conversation_id: string;
  readonly created_at: Date;
  readonly confidence: string | null;
  readonly feedback: string | null;
  readonly score: number | null;
  readonly decision: unknown;
  readonly asked: readonly { readonly id: string; readonly content: string }[] | null;
}

interface UnansweredQuery {
  readonly workspaceId: string;
  readonly since: Date;
  readonly most: number;
}

/** Returns answers with low confidence, disliked answers and handovers that are in no gap yet, the earliest first. */
export async function findUnanswered(
  database: Kysely<Tables>,
  { workspaceId, since, most }: UnansweredQuery,
): Promise<readonly Unanswered[]> {
  const { rows } = await sql<UnansweredRow>`
    select message.id, message.conversation_id, message.created_at, message.confidence, message.feedback, message.score,
           message.decision, earlier.asked
    from (${unsorted(workspaceId, since)}) as found
    join message on message.id = found.id
    cross join lateral (
      select json_agg(json_build_object('id', id, 'content', content) order by position desc) as asked
      from (
        select id, content, position from message as said
        where said.conversation_id = message.conversation_id and said.role = 'user' and said.purpose is null
          and said.position < message.position and said.deleted_at is null
        order by position desc limit 2
      ) as latest
    ) as earlier
    order by message.created_at, message.id
    limit ${most}
  `.execute(database);
  return rows.map((row) => ({
    messageId: row.id,
    conversationId: row.conversation_id,
    askedAt: row.created_at,
    isLow: row.confidence === 'low',
    isDisliked: row.feedback === 'down',
    score: row.score ?? 0,
    decision: decisionRecordSchema.safeParse(row.decision).data ?? null,
    asked: row.asked ?? [],
  }));
}

/** Counts the answers that are in no gap yet. */
export async function countUnsorted(
  database: Kysely<Tables>,
  workspaceId: string,
  since: Date,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (${unsorted(workspaceId, since)}) as found
  `.execute(database);
  return rows[0]?.count ?? 0;
}

/** Each part has an index of its own. */
function unsorted(workspaceId: string, since: Date) {
  return sql`
    select id from (
      select id from message
      where workspace_id = ${workspaceId} and created_at >= ${since} and confidence = 'low' and role = 'assistant'
      union
      select id from message
      where workspace_id = ${workspaceId} and feedback = 'down' and created_at >= ${since} and role = 'assistant'
      union
      select id from message
      where workspace_id = ${workspaceId} and created_at >= ${since}
        and ${sql.lit(humanSkill)} = any(skills_fired) and role = 'assistant'
    ) as left_open
    where not exists (select from gap_question where gap_question.message_id = left_open.id)
  `;
}

/** The question that was left open, and how. Null if nothing was asked that an answer could be written for. Pure. */
export function readQuestion(
  { isLow, isDisliked, score, decision, asked }: Unanswered,
  tiers: Tiers,
): { readonly id: string; readonly text: string; readonly kind: GapKind } | null {
  // A curated answer withholds the answer on purpose.
  if (decision?.curated !== undefined || decision?.understood === 'small talk') return null;
  // "A person, please" is about what was asked before.
  const isRequest = decision?.understood === 'skill';
  const question = isRequest ? asked[1] : asked[0];
  if (question === undefined) return null;
  const best = decision?.passages[0]?.score ?? score;
  const kind = isLow ? kindOfLow(best, tiers) : isDisliked ? 'refused' : 'person';
  return { id: question.id, text: question.content, kind: isRequest ? 'person' : kind };
}

function kindOfLow(best: number, { maybe }: Tiers): GapKind {
  return best >= maybe ? 'refused' : 'nothing';
}
