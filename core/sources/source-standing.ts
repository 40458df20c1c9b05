import { type Kysely, type Selectable, sql } from 'kysely';
import { z } from 'zod';
import type { IndexBacklog } from '../knowledge/indexing/index-backlog.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { type Hold, holdSchema } from './holds/judge-run.ts';
import { openRunStates } from './source-record.ts';
import { type Remedy, remedyFor, type SourceState, sourceState } from './source-state.ts';

/** Items of one code, with one of them. */
export interface Trouble {
  readonly code: string;
  readonly items: number;
  readonly remedy: Remedy;
  readonly sample: {
    readonly title: string | null;
    readonly url: string | null;
    readonly reason: string | null;
  };
}

/** The state of a source with the facts that an owner can act on. */
export interface Standing {
  readonly state: SourceState;
  /** Items that are listed and not read, and documents that are read and not indexed. */
  readonly left: number;
  readonly troubles: readonly Trouble[];
  readonly documents: number;
  /** Listed items that are to be documents, and those of them that answer. */
  readonly coverage: { readonly listed: number; readonly answered: number };
  /** When the newest run began that read the source to its end: answers are no older than that. */
  readonly asOf: Date | null;
  readonly indexing: IndexBacklog;
  readonly hold: (Hold & { readonly runId: string; readonly since: Date }) | null;
}

type SourceRow = Selectable<Tables['source']>;
type RunRow = Selectable<Tables['source_run']>;

/** Decides the states of sources from their rows. `runs` has the newest run of each. */
export async function findStandings(
  database: Kysely<Tables>,
  sources: readonly SourceRow[],
  runs: readonly RunRow[],
): Promise<ReadonlyMap<string, Standing>> {
  const ids = sources.map(({ id }) => id);
  const [documents, troubles, unread, holds, listed, reads] = await Promise.all([
    countDocuments(database, ids),
    findTroubles(database, ids),
    countUnread(database, ids),
    findHolds(database, ids),
    countListed(database, ids),
    findReads(database, ids),
  ]);
  return new Map(
    sources.map((source) => {
      const run = runs.find(({ source_id }) => source_id === source.id);
      const own = troubles.filter(({ source_id }) => source_id === source.id);
      const counted = documents.get(source.id);
      const left = (counted?.unindexed ?? 0) + (unread.get(source.id) ?? 0);
      const hold = holds.find(({ source_id }) => source_id === source.id);
      const state = sourceState({
        ...{ isHeld: source.held_run !== null, isPaused: source.paused_at !== null, left },
        run: standingOf(run, reads.get(source.id)),
        troubled: own.reduce((sum, { items }) => sum + items, 0),
      });
      return [
        source.id,
        {
          ...{ state, left, documents: counted?.documents ?? 0 },
          coverage: { listed: listed.get(source.id) ?? 0, answered: counted?.answered ?? 0 },
          asOf: reads.get(source.id)?.as_of ?? null,
          indexing: { documents: counted?.unindexed ?? 0, oldestAt: counted?.oldest_at ?? null },
          troubles: own.map(({ code, items, sample }) => ({
            ...{ code, items, remedy: remedyFor(code), sample },
          })),
          hold:
            hold === undefined || source.held_at === null
              ? null
              : { ...holdSchema.parse(hold.hold), runId: hold.id, since: source.held_at },
        },
      ] as const;
    }),
  );
}

/** A run that only cuts pages says nothing about how the source was read. */
function standingOf(
  newest: RunRow | undefined,
  read: { readonly state: string } | undefined,
): 'going' | 'failed' | 'over' | null {
  if (newest === undefined) return null;
  if (openRunStates.some((open) => open === newest.state)) return 'going';
  if (newest.state === 'failed' || read?.state === 'failed') return 'failed';
  return read === undefined ? null : 'over';
}

async function countDocuments(database: Kysely<Tables>, ids: readonly string[]) {
  const rows = await database
    .selectFrom('document')
    .select(['source_id', sql<number>`count(*)::int`.as('documents')])
    .select(sql<number>`(count(*) filter (where status in ('queued', 'indexing')))::int`.as('unindexed'))
    .select(sql<number>`(count(*) filter (where revision > 0))::int`.as('answered'))
    .select(sql<Date | null>`min(updated_at) filter (where status in ('queued', 'indexing'))`.as('oldest_at'))
    .where('source_id', 'in', [...ids])
    .where('status', '<>', 'deleted')
    .groupBy('source_id')
    .execute();
  return new Map(rows.map(({ source_id: id, ...counts }) => [id, counts]));
}

/** Counts the items that are or should be documents. */
async function countListed(database: Kysely<Tables>, ids: readonly string[]) {
  const rows = await database
    .selectFrom('source_item')
    .select(['source_id', sql<number>`count(*)::int`.as('items')])
    .where('source_id', 'in', [...ids])
    .where('state', 'in', ['current', 'failed', 'waiting'])
    .groupBy('source_id')
    .execute();
  return new Map(rows.map(({ source_id: id, items }) => [id, items]));
}

/** Returns the newest run of each source that reads, and when the newest began that read it to its end. */
async function findReads(database: Kysely<Tables>, ids: readonly string[]) {
  const rows = await database
    .selectFrom('source_run')
    .distinctOn('source_id')
    .select(['source_id', 'state'])
    .select(
      sql<Date | null>`max(coalesce(started_at, created_at)) filter (where state = 'finished')
        over (partition by source_id)`.as('as_of'),
    )
    .where('source_id', 'in', [...ids])
    .where('is_cut', '=', false)
    .where('is_partial', '=', false)
    .orderBy('source_id')
    .orderBy('number', 'desc')
    .execute();
  return new Map(rows.map(({ source_id: id, ...read }) => [id, read]));
}

/** Counts the items that the newest run has not read, those that were named as changed, and those whose document waits for the end of a run. */
async function countUnread(database: Kysely<Tables>, ids: readonly string[]) {
  const { rows } = await sql<{ source_id: string; items: number }>`
    select item.source_id, count(*)::int as items
    from source_item item
    left join (
      select source_id, max(number) as number from source_run
      where source_id = any(${ids}::text[]) and not is_cut and not is_partial group by source_id
    ) newest on newest.source_id = item.source_id
    where item.source_id = any(${ids}::text[])
      and (
        item.listed_run = newest.number and item.read_run is distinct from item.listed_run
        or item.state = 'skipped' and item.document_id is not null
        or exists (
          select from source_notice notice
          where notice.source_id = item.source_id and notice.key = item.key and notice.read_at is null
        )
      )
      and item.code is distinct from 'deleted_by_hand'
    group by item.source_id
  `.execute(database);
  return new Map(rows.map(({ source_id: id, items }) => [id, items]));
}

const sampleSchema = z.object({
  title: z.string().nullable(),
  url: z.string().nullable(),
  reason: z.string().nullable(),
});

/**
 * Groups items with an older reading or none: items that failed, listed ones that are gone and still have a document,
 * and documents that could not be read after they were fetched.
 */
async function findTroubles(database: Kysely<Tables>, ids: readonly string[]) {
  const { rows } = await sql<{ source_id: string; code: string; items: number; sample: unknown }>`
    select source_id, code, count(*)::int as items,
           (array_agg(json_build_object('title', title, 'url', url, 'reason', reason) order by key))[1] as sample
    from (
      select source_id, coalesce(code, 'internal_error') as code, key, title, coalesce(url, key) as url, reason
      from source_item
      where source_id = any(${ids}::text[])
        and (state = 'failed' or state = 'gone' and code in ('gone', 'gone_for_good') and document_id is not null)
      union all
      select source_id, coalesce(failure_code, 'reading_failed'), id, title, coalesce(url, file_name), failure_reason
      from document
      where source_id = any(${ids}::text[]) and status = 'failed'
    ) troubled
    group by source_id, code
    order by count(*) desc, code
  `.execute(database);
  return rows.map(({ sample, ...row }) => ({ ...row, sample: sampleSchema.parse(sample) }));
}

function findHolds(database: Kysely<Tables>, ids: readonly string[]) {
  return database
    .selectFrom('source')
    .innerJoin('source_run', (join) =>
      join.onRef('source_run.source_id', '=', 'source.id').onRef('source_run.number', '=', 'source.held_run'),
    )
    .select(['source_run.source_id', 'source_run.id', 'source_run.hold'])
    .where('source.id', 'in', [...ids])
    .execute();
}
