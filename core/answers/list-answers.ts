import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import type { Page, PageRequest } from '../base/pagination.ts';
import {
  type Confidence,
  type DecisionRecord,
  decisionRecordSchema,
  roundScore,
  type Tier,
} from '../contract/answer.ts';
import { type Opinion, opinions } from '../contract/conversation-values.ts';
import { humanSkill } from '../contract/skill.ts';
import { answerPaths } from '../contract/trace/answer-trace.ts';
import { extractSearchTerms } from '../conversations/messages/messages.ts';
import { keysetPage } from '../storage/keyset-page.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { type Verdict, verdictSchema } from './reviews.ts';

export interface AnswerFilters {
  readonly confidence?: Confidence | undefined;
  readonly tier?: Tier | undefined;
  readonly act?: DecisionRecord['act'] | undefined;
  readonly channel?: string | undefined;
  readonly feedback?: Opinion | 'none' | undefined;
  readonly reviewed?: Verdict | 'any' | 'none' | undefined;
  /** Words that the question or the answer contains. */
  readonly search?: string | undefined;
  /** Answers at or after this time. */
  readonly since?: Date | undefined;
  /** Answers before this time. */
  readonly until?: Date | undefined;
  /**
   * Answers that nobody reviewed and that need it: the visitor disliked them, they are unsure or none, or the visitor asked for
   * a person right after.
   */
  readonly toReview?: boolean | undefined;
}

const MAX_TEXT = 300;

const rowSchema = z.object({
  id: z.string(),
  conversation_id: z.string(),
  created_at: z.date(),
  question: z.string().nullable(),
  answer: z.string(),
  channel: z.string(),
  confidence: z.enum(['high', 'medium', 'low']).nullable(),
  tier: z.enum(['answer', 'maybe', 'none']).nullable(),
  score: z.number().transform(roundScore).nullable(),
  latency_ms: z.number().nullable(),
  act: decisionRecordSchema.shape.act.nullable(),
  path: z.enum(answerPaths).nullable(),
  feedback: z.enum(opinions).nullable(),
  feedback_comment: z.string().nullable(),
  verdict: verdictSchema.nullable(),
});

/** An answer in the log. Question and answer are cut to 300 characters. */
export type ListedAnswer = z.output<typeof rowSchema>;

/** Returns the answers of a workspace, latest first. Throws `invalid_cursor`. */
export async function listAnswers(
  database: Kysely<Tables>,
  { workspaceId, ...filters }: AnswerFilters & { readonly workspaceId: string },
  page: PageRequest,
): Promise<Page<ListedAnswer>> {
  const query = database
    .selectFrom('message')
    .select([
      ...(['id', 'conversation_id', 'created_at', 'confidence', 'tier', 'score', 'latency_ms'] as const),
      ...(['feedback', 'feedback_comment'] as const),
      sql<string>`left(content, ${MAX_TEXT})`.as('answer'),
      sql<string | null>`decision ->> 'act'`.as('act'),
      sql<string | null>`trace ->> 'path'`.as('path'),
      sql<string | null>`(
        select left(asked.content, ${MAX_TEXT}) from message as asked
        where asked.conversation_id = message.conversation_id and asked.position = message.position - 1
          and asked.role = 'user'
      )`.as('question'),
      sql<string>`(select channel from conversation where id = message.conversation_id)`.as('channel'),
      sql<string | null>`(select verdict from answer_review where message_id = message.id)`.as('verdict'),
    ])
    .where('workspace_id', '=', workspaceId)
    .where('role', '=', 'assistant')
    .where('purpose', 'is', null)
    .where(({ and }) => and(conditionsOf(workspaceId, filters)));
  const list = `answers ${JSON.stringify([workspaceId, filters])}`;
  const found = await keysetPage(query, { list, latest: 'created_at' }, page);
  return { ...found, items: found.items.map((row) => rowSchema.parse(row)) };
}

type Condition = RawBuilder<SqlBool>;

function conditionsOf(workspaceId: string, filters: AnswerFilters): Condition[] {
  const { confidence, tier, act, channel, feedback, reviewed, search, since, until, toReview } = filters;
  const conditions = [
    confidence && sql<SqlBool>`confidence = ${confidence}`,
    tier && sql<SqlBool>`tier = ${tier}`,
    act && sql<SqlBool>`decision ->> 'act' = ${act}`,
    channel &&
      sql<SqlBool>`exists (select from conversation where id = message.conversation_id and channel = ${channel})`,
    feedback && (feedback === 'none' ? sql<SqlBool>`feedback is null` : sql<SqlBool>`feedback = ${feedback}`),
    reviewed && isReviewed(reviewed),
    search && containsWords(workspaceId, search),
    since && sql<SqlBool>`created_at >= ${since}`,
    until && sql<SqlBool>`created_at < ${until}`,
    toReview === true && needsReview,
  ];
  return conditions.filter((condition) => typeof condition === 'object');
}

function isReviewed(reviewed: Verdict | 'any' | 'none'): Condition {
  if (reviewed === 'none') return sql`not exists (select from answer_review where message_id = message.id)`;
  const verdict = reviewed === 'any' ? sql`` : sql`and verdict = ${reviewed}`;
  return sql`exists (select from answer_review where message_id = message.id ${verdict})`;
}

/** Finds the messages by the index of their words first: a rare word would otherwise be looked for in every answer. */
function containsWords(workspaceId: string, search: string): Condition {
  const terms = [...extractSearchTerms(workspaceId, search)];
  if (terms.length === 0) return sql`false`;
  return sql`(conversation_id, position) in (
    select conversation_id, case when role = 'user' then position + 1 else position end from message
    where workspace_id = ${workspaceId} and terms @> ${terms}::integer[]
  )`;
}

const needsReview = sql<SqlBool>`(
  not exists (select from answer_review where message_id = message.id)
  and (
    feedback = 'down' or confidence = 'low' or exists (
      select from message as next
      where next.conversation_id = message.conversation_id
        and next.position between message.position + 1 and message.position + 2
        and next.role = 'assistant' and next.skills_fired @> array[${humanSkill}]
    )
  )
)`;
