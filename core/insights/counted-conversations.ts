import { type Kysely, type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { cutPage, type Page, type PageRequest, readCursor, writeCursor } from '../base/pagination.ts';
import { isoMicroseconds } from '../storage/keyset-page.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { Outcome } from './outcomes.ts';
import { all, episodesIn, type InsightScope, questionsIn } from './scope.ts';

/** The definition of a number: the conversations behind each are listed by the same conditions. */
export const countedKinds = [
  'ended',
  'open',
  'asked',
  'answered',
  'handed_over',
  'replied',
  'solved',
  'thumbs_up',
  'thumbs_down',
  'rating_asked',
  'rated',
  'failed_over',
] as const;

export type CountedKind = (typeof countedKinds)[number];

export interface CountedConversation {
  readonly id: string;
  readonly channel: string;
  readonly customer: string | null;
  /** The question, or the first of the conversation; empty if it was deleted. */
  readonly question: string;
  readonly startedAt: Date;
  readonly endedAt: Date;
  /** Null while it may still go on. */
  readonly outcome: Outcome | null;
}

interface Row extends CountedConversation {
  readonly page_time: string;
  readonly page_id: string;
}

const MAX_QUESTION = 200;
const positionSchema = z.tuple([z.string(), z.string()]);

/** Returns a page of the conversations that a number counts, latest end first. Throws `invalid_cursor`. */
export async function listCounted(
  database: Kysely<Tables>,
  scope: InsightScope,
  { kind, page }: { readonly kind: CountedKind; readonly page: PageRequest },
): Promise<Page<CountedConversation>> {
  const list = `insights ${kind} ${scope.workspaceId} ${scope.from} ${scope.to} ${JSON.stringify(scope.filters)}`;
  const conditions = [...counted(kind, scope)];
  if (page.cursor !== undefined) {
    const [time, id] = readCursor(list, page.cursor, positionSchema);
    conditions.push(sql`(episode.ended_at, episode.conversation_id) < (${time}::timestamptz, ${id})`);
  }
  const { rows } = await sql<Row>`
    select conversation.id, conversation.channel, coalesce(customer_name, customer_email, customer_phone) as customer,
           coalesce(left(asked.content, ${MAX_QUESTION}), '') as question, found.started_at as "startedAt",
           found.ended_at as "endedAt", case when found.settles_at <= ${scope.now} then found.outcome end as outcome,
           ${isoMicroseconds(sql`found.ended_at`)} as page_time, conversation.id as page_id
    from (
      select conversation_id, first_position, started_at, ended_at, settles_at, outcome
      from insight_episode as episode
      where ${all(conditions)}
      order by ended_at desc, conversation_id desc
      limit ${page.limit + 1}
    ) as found
    join conversation on conversation.id = found.conversation_id and conversation.workspace_id = ${scope.workspaceId}
    left join lateral (
      select content from message
      where conversation_id = found.conversation_id and workspace_id = ${scope.workspaceId} and role = 'user'
        and position >= found.first_position
      order by position limit 1
    ) as asked on true
    order by found.ended_at desc, found.conversation_id desc
  `.execute(database);
  const { items, nextCursor } = cutPage(rows, page.limit, (row) =>
    writeCursor(list, [row.page_time, row.page_id]),
  );
  return { items: items.map(({ page_time: _, page_id: __, ...item }) => item), nextCursor };
}

function counted(kind: CountedKind, scope: InsightScope): readonly RawBuilder<unknown>[] {
  const settled = sql`episode.settles_at <= ${scope.now}`;
  switch (kind) {
    case 'ended':
      return [...episodesIn(scope, 'ended_at'), settled];
    case 'open':
      return [...episodesIn(scope, 'ended_at'), sql`episode.settles_at > ${scope.now}`];
    case 'handed_over':
      return episodesIn(scope, 'handed_at');
    case 'replied':
      return [...episodesIn(scope, 'handed_at'), sql`episode.replied_at is not null`];
    case 'solved':
      return [...episodesIn(scope, 'handed_at'), sql`episode.solved_at is not null`];
    case 'rating_asked':
      return [...episodesIn(scope, 'ended_at'), settled, sql`episode.rating_asked`];
    case 'rated':
      return [...episodesIn(scope, 'ended_at'), settled, sql`episode.rating is not null`];
    case 'asked':
      return withQuestion(scope, sql`true`);
    case 'answered':
      return withQuestion(scope, sql`question.answered`);
    case 'thumbs_up':
      return withQuestion(scope, sql`question.opinion = 'up'`);
    case 'thumbs_down':
      return withQuestion(scope, sql`question.opinion = 'down'`);
    case 'failed_over':
      return withQuestion(scope, sql`question.failovers > 0`);
  }
}

function withQuestion(scope: InsightScope, condition: RawBuilder<unknown>): readonly RawBuilder<unknown>[] {
  const { workspaceId, from, zone } = scope;
  return [
    sql`episode.workspace_id = ${workspaceId}`,
    // No episode ends before a question of it: the list stops at the first day.
    sql`episode.ended_at >= ${from}::date::timestamp at time zone ${zone}`,
    sql`exists (
      select from insight_question as question
      where question.conversation_id = episode.conversation_id and question.episode = episode.number
        and ${all([...questionsIn(scope), condition])}
    )`,
  ];
}
