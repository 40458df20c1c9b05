import { sql, type Transaction } from 'kysely';
import type { About } from '../contract/connector.ts';
import { batchRows, type TaskContext } from '../storage/maintenance-task.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { loadHappenings, type Recorded, type Recounted } from './load-happenings.ts';
import { type Episode, judgeConversation } from './outcomes.ts';

/** How visitors of a channel learn that a machine answers. */
export type DisclosureOf = (channel: string) => About['disclosure'];

/** Longer than a transaction takes from its time to its commit. */
const lagMs = 60_000;

interface ChangedRow {
  readonly id: string;
  readonly workspace_id: string;
  readonly channel: string;
  readonly updated_at: string;
  /** The number of the last episode that was counted; null if none was. */
  readonly number: number | null;
  readonly first_position: number | null;
  readonly started_at: Date | null;
  readonly ratings: number;
  readonly rating: number | null;
  /** Whether greetings say that a machine answers. */
  readonly has_sentence: boolean;
}

/**
 * Counts the conversations that changed since the last round, of all workspaces, and returns their number. Only the last
 * episode of a conversation is counted anew: the others are over for good.
 */
export async function rollUpInsights(
  { transaction, now }: TaskContext,
  disclosureOf: DisclosureOf,
): Promise<number> {
  const changed = await findChanged(transaction, new Date(now.getTime() - lagMs));
  if (changed.length === 0) return 0;
  const recounted = changed.map(
    (row): Recounted => ({
      id: row.id,
      workspaceId: row.workspace_id,
      fromPosition: row.first_position ?? 0,
      since: row.started_at ?? new Date(0),
    }),
  );
  const happenings = await loadHappenings(transaction, recounted);
  const counted = changed.flatMap((row) =>
    countConversation(row, happenings.get(row.id) ?? [], disclosureOf),
  );
  await deleteLastEpisodes(transaction, changed);
  await insertEpisodes(transaction, counted);
  await noteProgress(transaction, changed);
  return changed.length;
}

async function findChanged(transaction: Transaction<Tables>, before: Date): Promise<readonly ChangedRow[]> {
  const { rows } = await sql<ChangedRow>`
    select changed.id, workspace.id as workspace_id, changed.channel,
           to_char(changed.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as updated_at,
           last.number, last.first_position, last.started_at, rated.ratings, rated.rating,
           coalesce((workspace.settings -> 'disclosure_enabled')::boolean, true) as has_sentence
    from workspace
    left join insight_progress as done on done.workspace_id = workspace.id
    cross join lateral (
      select id, channel, updated_at from conversation
      where workspace_id = workspace.id and updated_at < ${before}
        and (updated_at, id) > (coalesce(done.updated_until, '-infinity'), coalesce(done.conversation_id, ''))
      order by updated_at, id
      limit ${batchRows}
    ) as changed
    left join lateral (
      select number, first_position, started_at from insight_episode
      where conversation_id = changed.id order by number desc limit 1
    ) as last on true
    cross join lateral (
      select count(*)::int as ratings, (array_agg(score order by number desc) filter (where score is not null))[1] as rating
      from conversation_rating where conversation_id = changed.id and asked_at >= coalesce(last.started_at, '-infinity')
    ) as rated
    where workspace.deleted_at is null and workspace.staging_for is null
    order by workspace.id, changed.updated_at, changed.id
    limit ${batchRows}
  `.execute(transaction);
  return rows;
}

interface CountedEpisode {
  readonly row: ChangedRow;
  readonly episode: Episode<Recorded>;
  readonly number: number;
  readonly disclosure: 'sentence' | 'interface' | 'none' | null;
  readonly isLast: boolean;
}

function countConversation(
  row: ChangedRow,
  recorded: readonly Recorded[],
  disclosureOf: DisclosureOf,
): readonly CountedEpisode[] {
  return judgeConversation(recorded).map((episode, index, { length }) => ({
    row,
    episode,
    number: (row.number ?? 1) + index,
    disclosure: findDisclosure(episode, row, disclosureOf),
    isLast: index === length - 1,
  }));
}

function findDisclosure(
  { happenings }: Episode<Recorded>,
  { channel, has_sentence: hasSentence }: ChangedRow,
  disclosureOf: DisclosureOf,
): CountedEpisode['disclosure'] {
  const first = happenings.find(({ facts }) => facts !== undefined)?.facts;
  if (first === undefined) return null;
  if (first.hasDisclosure) return 'sentence';
  switch (disclosureOf(channel)) {
    case 'interface':
      return 'interface';
    case 'greeting':
      return hasSentence ? 'sentence' : 'none';
    case 'message':
      return 'none';
  }
}

async function deleteLastEpisodes(
  transaction: Transaction<Tables>,
  changed: readonly ChangedRow[],
): Promise<void> {
  await sql`
    delete from insight_episode as counted
    using unnest(${changed.map(({ id }) => id)}::text[], ${changed.map(({ number }) => number ?? 1)}::integer[]) as old (id, number)
    where counted.conversation_id = old.id and counted.number >= old.number
  `.execute(transaction);
}

async function insertEpisodes(
  transaction: Transaction<Tables>,
  counted: readonly CountedEpisode[],
): Promise<void> {
  await sql`
    insert into insight_episode (conversation_id, number, workspace_id, channel, first_position, started_at, ended_at, settles_at,
                                 outcome, handed_at, replied_at, solved_at, disclosure, rating_asked, rating)
    select * from json_to_recordset(${JSON.stringify(counted.map(toEpisodeRow))}::json) as counted (
      conversation_id text, number integer, workspace_id text, channel text, first_position integer, started_at timestamptz,
      ended_at timestamptz, settles_at timestamptz, outcome text, handed_at timestamptz, replied_at timestamptz,
      solved_at timestamptz, disclosure text, rating_asked boolean, rating smallint)
  `.execute(transaction);
  await sql`
    insert into insight_question (conversation_id, position, episode, workspace_id, channel, asked_at, language, audience,
                                  confidence, answered, probability, opinion, tokens, latency_ms, model, failovers, documents, outcome, settles_at)
    select * from json_to_recordset(${JSON.stringify(counted.flatMap(toQuestionRows))}::json) as asked (
      conversation_id text, position integer, episode integer, workspace_id text, channel text, asked_at timestamptz,
      language text, audience text[], confidence text, answered boolean, probability real, opinion text, tokens integer, latency_ms integer,
      model text, failovers integer, documents text[], outcome text, settles_at timestamptz)
  `.execute(transaction);
}

function toEpisodeRow({ row, episode, number, disclosure, isLast }: CountedEpisode) {
  const first = episode.happenings.find(({ position }) => position !== null);
  return {
    ...{ conversation_id: row.id, number, workspace_id: row.workspace_id, channel: row.channel },
    first_position: first?.position ?? 0,
    started_at: episode.startedAt,
    ended_at: episode.endedAt,
    settles_at: episode.settlesAt,
    outcome: episode.outcome,
    handed_at: episode.handedAt,
    replied_at: episode.repliedAt,
    solved_at: episode.solvedAt,
    disclosure,
    rating_asked: isLast && row.ratings > 0,
    rating: isLast ? row.rating : null,
  };
}

function toQuestionRows({ row, episode, number }: CountedEpisode) {
  return episode.happenings.flatMap(({ at, facts }) => {
    if (facts === undefined) return [];
    const { latencyMs, hasDisclosure: _, ...rest } = facts;
    return [
      {
        ...{ conversation_id: row.id, episode: number, workspace_id: row.workspace_id, channel: row.channel },
        ...{ ...rest, asked_at: at, latency_ms: latencyMs },
        ...{ outcome: episode.outcome, settles_at: episode.settlesAt },
      },
    ];
  });
}

async function noteProgress(transaction: Transaction<Tables>, changed: readonly ChangedRow[]): Promise<void> {
  const last = [...new Map(changed.map((row) => [row.workspace_id, row])).values()];
  await sql`
    insert into insight_progress (workspace_id, updated_until, conversation_id)
    select * from unnest(${last.map(({ workspace_id }) => workspace_id)}::text[],
      ${last.map(({ updated_at }) => updated_at)}::timestamptz[], ${last.map(({ id }) => id)}::text[])
    on conflict (workspace_id) do update
    set updated_until = excluded.updated_until, conversation_id = excluded.conversation_id
  `.execute(transaction);
}
