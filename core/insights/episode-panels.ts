import { type Kysely, sql } from 'kysely';
import type { Tables } from '../storage/tables/tables.ts';
import type { Outcome } from './outcomes.ts';
import { all, episodesIn, type InsightScope, questionsIn } from './scope.ts';

export interface OutcomesPanel {
  /** Episodes that ended in the range: the sum of the five. */
  readonly ended: number;
  readonly counts: { readonly [Name in Outcome]: number };
  /** Episodes with their last message in the range that may still go on. */
  readonly open: number;
}

/** Counts the outcomes of the conversations that ended in the range. */
export async function countOutcomes(database: Kysely<Tables>, scope: InsightScope): Promise<OutcomesPanel> {
  const { rows } = await sql<{ outcome: Outcome; ended: number; open: number }>`
    select outcome, (count(*) filter (where settles_at <= ${scope.now}))::int as ended,
           (count(*) filter (where settles_at > ${scope.now}))::int as open
    from insight_episode as episode
    where ${all(episodesIn(scope, 'ended_at'))}
    group by outcome
  `.execute(database);
  const counts = { confirmed: 0, assumed: 0, handed_over: 0, unanswered: 0, left: 0 };
  for (const { outcome, ended } of rows) counts[outcome] = ended;
  const sum = (name: 'ended' | 'open') => rows.reduce((total, row) => total + row[name], 0);
  return { ended: sum('ended'), counts, open: sum('open') };
}

/** How many had it, and how long it took half of them and nine of ten at most, in seconds. Null if there was none. */
interface Times {
  readonly count: number;
  readonly p50: number | null;
  readonly p90: number | null;
}

export interface PeoplePanel {
  /** Conversations that were passed to people in the range. */
  readonly handedOver: number;
  /** The time from the hand-over to the first reply of a person. */
  readonly firstReply: Times;
  /** The time from the hand-over to the last reply or resolution, of those that a person solved. */
  readonly solved: Times;
}

/** Measures how long people take, from the handover, of the conversations that were passed to them in the range. */
export async function measurePeople(database: Kysely<Tables>, scope: InsightScope): Promise<PeoplePanel> {
  const seconds = (time: 'replied_at' | 'solved_at') =>
    sql`extract(epoch from ${sql.ref(time)} - handed_at)::float8`;
  const { rows } = await sql<PeopleRow>`
    select count(*)::int as handed, count(replied_at)::int as replied, count(solved_at)::int as solved,
           percentile_disc(array[0.5, 0.9]) within group (order by ${seconds('replied_at')}) as reply,
           percentile_disc(array[0.5, 0.9]) within group (order by ${seconds('solved_at')}) as solution
    from insight_episode as episode
    where ${all(episodesIn(scope, 'handed_at'))}
  `.execute(database);
  const [row] = rows;
  return {
    handedOver: row?.handed ?? 0,
    firstReply: toTimes(row?.replied, row?.reply),
    solved: toTimes(row?.solved, row?.solution),
  };
}

interface PeopleRow {
  readonly handed: number;
  readonly replied: number;
  readonly solved: number;
  readonly reply: readonly (number | null)[] | null;
  readonly solution: readonly (number | null)[] | null;
}

function toTimes(count = 0, found: readonly (number | null)[] | null = null): Times {
  return { count, p50: found?.[0] ?? null, p90: found?.[1] ?? null };
}

export interface SatisfactionPanel {
  /** Questions of the range, those with a thumb, and which. */
  readonly asked: number;
  readonly up: number;
  readonly down: number;
  /** Conversations that ended in the range and whose visitor was asked for a rating. */
  readonly ratingAsked: number;
  /** How many gave one to five stars, in this order. */
  readonly ratings: readonly number[];
}

/** Counts thumbs and ratings, beside how many could have been given. */
export async function countSatisfaction(
  database: Kysely<Tables>,
  scope: InsightScope,
): Promise<SatisfactionPanel> {
  const thumbs = await sql<{ asked: number; up: number; down: number }>`
    select count(*)::int as asked, (count(*) filter (where opinion = 'up'))::int as up,
           (count(*) filter (where opinion = 'down'))::int as down
    from insight_question as question where ${all(questionsIn(scope))}
  `.execute(database);
  const stars = await sql<{ rating: number | null; count: number }>`
    select rating, count(*)::int as count from insight_episode as episode
    where ${all(episodesIn(scope, 'ended_at'))} and rating_asked and settles_at <= ${scope.now}
    group by rating
  `.execute(database);
  const countOf = (score: number) => stars.rows.find(({ rating }) => rating === score)?.count ?? 0;
  return {
    ...(thumbs.rows[0] ?? { asked: 0, up: 0, down: 0 }),
    ratingAsked: stars.rows.reduce((sum, { count }) => sum + count, 0),
    ratings: [1, 2, 3, 4, 5].map(countOf),
  };
}

/** The first time of which a workspace has data, and the last that was counted. Null: it has none. */
export interface Coverage {
  readonly since: Date | null;
  readonly countedUntil: Date | null;
}

/** Returns from when there is data. */
export async function findCoverage(database: Kysely<Tables>, workspaceId: string): Promise<Coverage> {
  const { rows } = await sql<Coverage>`
    select (select min(ended_at) from insight_episode where workspace_id = ${workspaceId}) as since,
           (select updated_until from insight_progress where workspace_id = ${workspaceId}) as "countedUntil"
  `.execute(database);
  return rows[0] ?? { since: null, countedUntil: null };
}
