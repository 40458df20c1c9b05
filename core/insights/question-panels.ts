import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../storage/tables/tables.ts';
import { all, type InsightScope, questionsIn } from './scope.ts';
import { type Share, shareOf } from './share.ts';

interface DayCount {
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly high: number;
  readonly medium: number;
  readonly low: number;
}

export interface QuestionsPanel {
  readonly days: readonly DayCount[];
  readonly asked: number;
  readonly answered: number;
  /** Null for fewer than 30 questions. */
  readonly share: Share | null;
}

/** Counts the questions of each day of the range by confidence. */
export async function countQuestions(database: Kysely<Tables>, scope: InsightScope): Promise<QuestionsPanel> {
  const { rows } = await sql<DayCount & { answered: number }>`
    with counted as (
      select (question.asked_at at time zone ${scope.zone})::date as day,
             count(*) filter (where confidence = 'high') as high,
             count(*) filter (where confidence = 'medium') as medium,
             count(*) filter (where confidence = 'low') as low,
             count(*) filter (where answered) as answered
      from insight_question as question
      where ${all(questionsIn(scope))}
      group by 1
    )
    select to_char(day, 'YYYY-MM-DD') as day, coalesce(high, 0)::int as high, coalesce(medium, 0)::int as medium,
           coalesce(low, 0)::int as low, coalesce(answered, 0)::int as answered
    from generate_series(${scope.from}::date, ${scope.to}::date, interval '1 day') as day
    left join counted using (day)
    order by day
  `.execute(database);
  const asked = rows.reduce((sum, { high, medium, low }) => sum + high + medium + low, 0);
  const answered = rows.reduce((sum, row) => sum + row.answered, 0);
  const days = rows.map(({ day, high, medium, low }) => ({ day, high, medium, low }));
  return { days, asked, answered, share: shareOf(answered, asked) };
}

export const breakdowns = ['channel', 'language', 'audience', 'hour'] as const;
export type Breakdown = (typeof breakdowns)[number];

export interface BreakdownRow {
  readonly key: string;
  readonly asked: number;
  readonly answered: number;
}

/** More rows tell nothing at a glance. */
const MAX_ROWS = 50;

/** Counts the questions of the range by one of their properties, the most frequent first; hours in their order. */
export async function breakDown(
  database: Kysely<Tables>,
  scope: InsightScope,
  by: Breakdown,
): Promise<readonly BreakdownRow[]> {
  const { key, join } = groupings(scope)[by];
  const { rows } = await sql<BreakdownRow>`
    select ${key} as key, count(*)::int as asked, (count(*) filter (where answered))::int as answered
    from insight_question as question ${join}
    where ${all(questionsIn(scope))}
    group by 1
    order by ${by === 'hour' ? sql`key` : sql`asked desc, key`}
    limit ${MAX_ROWS}
  `.execute(database);
  return rows;
}

interface Grouping {
  readonly key: RawBuilder<unknown>;
  readonly join: RawBuilder<unknown>;
}

function groupings({ zone }: InsightScope): Readonly<Record<Breakdown, Grouping>> {
  const none = sql``;
  return {
    channel: { key: sql`question.channel`, join: none },
    language: { key: sql`question.language`, join: none },
    hour: { key: sql`to_char(question.asked_at at time zone ${zone}, 'HH24')`, join: none },
    audience: {
      key: sql`tag`,
      join: sql`cross join lateral unnest(
        case when audience is null then array['-'] when audience = '{}' then array['*'] else audience end
      ) as tag`,
    },
  };
}

interface DocumentRow {
  readonly id: string;
  readonly title: string;
  readonly answers: number;
  readonly up: number;
  readonly down: number;
}

export interface DocumentsPanel {
  /** The most used first, at most ten. */
  readonly used: readonly DocumentRow[];
  /** Documents that can be answered from, and those of them that no answer of the range rests on. */
  readonly total: number;
  readonly unusedCount: number;
  /** The oldest of those, at most ten. */
  readonly unused: readonly { readonly id: string; readonly title: string }[];
}

const MAX_DOCUMENTS = 10;

/** Counts the answers of the range by the documents that they rest on. Deleted documents are left out. */
export async function countDocuments(database: Kysely<Tables>, scope: InsightScope): Promise<DocumentsPanel> {
  const { workspaceId } = scope;
  const { rows } = await sql<DocumentsPanel>`
    with used as materialized (
      select id, count(*)::int as answers, (count(*) filter (where opinion = 'up'))::int as up,
             (count(*) filter (where opinion = 'down'))::int as down
      from insight_question as question cross join lateral unnest(documents) as id
      where ${all(questionsIn(scope))}
      group by id
    ), known as materialized (
      select id, title, created_at, answers, up, down from document left join used using (id)
      where workspace_id = ${workspaceId} and status = 'indexed'
    )
    select coalesce((select json_agg(top) from (
             select id, title, answers, up, down from known where answers > 0
             order by answers desc, id limit ${MAX_DOCUMENTS}
           ) as top), '[]') as used,
           (select count(*)::int from known) as total,
           (select count(*)::int from known where answers is null) as "unusedCount",
           coalesce((select json_agg(oldest) from (
             select id, title from known where answers is null order by created_at, id limit ${MAX_DOCUMENTS}
           ) as oldest), '[]') as unused
  `.execute(database);
  return rows[0] ?? { used: [], total: 0, unusedCount: 0, unused: [] };
}

export interface ModelRow {
  /** Null: no model wrote, or it is not known. */
  readonly model: string | null;
  readonly answers: number;
  readonly tokens: number;
  /** Answers for which another model had failed before. */
  readonly failovers: number;
  /** The time to the whole answer, in milliseconds: of half of them at most, and of 19 of 20. */
  readonly p50: number | null;
  readonly p95: number | null;
}

/** Counts tokens and times of the answers of the range by the model that wrote them. */
export async function countCost(database: Kysely<Tables>, scope: InsightScope): Promise<readonly ModelRow[]> {
  const { rows } = await sql<ModelRow>`
    select model, count(*)::int as answers, sum(tokens)::float8 as tokens,
           (count(*) filter (where failovers > 0))::int as failovers,
           percentile_disc(0.5) within group (order by latency_ms) as p50,
           percentile_disc(0.95) within group (order by latency_ms) as p95
    from insight_question as question
    where ${all(questionsIn(scope))}
    group by model
    order by answers desc, model
    limit ${MAX_ROWS}
  `.execute(database);
  return rows;
}
