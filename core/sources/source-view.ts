import { type Kysely, type Selectable, sql } from 'kysely';
import { z } from 'zod';
import type { Clock } from '../base/clock.ts';
import { cutPage, type Page, type PageRequest, readCursor, writeCursor } from '../base/pagination.ts';
import { noBacklog } from '../knowledge/indexing/index-backlog.ts';
import { keysetPage } from '../storage/keyset-page.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { RunRow } from './runs/run-queue.ts';
import {
  type ItemRecord,
  type itemStates,
  openRunStates,
  type RunRecord,
  type SourceRecord,
  toItemRecord,
  toRunRecord,
  toSourceRecord,
} from './source-record.ts';
import { findStandings, type Standing } from './source-standing.ts';

/** A source with its state, its documents and its newest run. */
export interface SourceView extends SourceRecord, Standing {
  readonly lastRun: RunRecord | null;
}

interface Stores {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
}

/** Adds the state, the number of documents and the newest run to sources. */
export async function viewSources(
  stores: Stores,
  rows: readonly Selectable<Tables['source']>[],
): Promise<readonly SourceView[]> {
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return [];
  const runs = await findLastRuns(stores, ids);
  const [records, standings] = await Promise.all([
    toRunRecords(stores, runs),
    findStandings(stores.database, rows, runs),
  ]);
  return rows.map((row) => ({
    ...toSourceRecord(row),
    ...(standings.get(row.id) ?? unread),
    lastRun: records.find(({ sourceId }) => sourceId === row.id) ?? null,
  }));
}

const unread: Standing = {
  ...{ state: 'not_read', left: 0, troubles: [], documents: 0, hold: null, indexing: noBacklog },
  ...{ coverage: { listed: 0, answered: 0 }, asOf: null },
};

function findLastRuns({ database }: Stores, ids: readonly string[]): Promise<readonly RunRow[]> {
  return database
    .selectFrom('source_run')
    .selectAll()
    .distinctOn('source_id')
    .where('source_id', 'in', [...ids])
    .where('is_partial', '=', false)
    .orderBy('source_id')
    .orderBy('number', 'desc')
    .execute();
}

async function toRunRecords(
  { database, clock }: Stores,
  rows: readonly RunRow[],
): Promise<readonly RunRecord[]> {
  const open = rows.filter(({ state }) => openRunStates.some((one) => one === state));
  const waiting = new Map<string, number>();
  for (const { id, source_id, number, is_partial: isPartial } of open) {
    const query = (isPartial ? countNotices : countItems)(database, { source_id, number });
    const { count } = await query.executeTakeFirstOrThrow();
    waiting.set(id, count);
  }
  return rows.map((row) => toRunRecord(row, { waiting: waiting.get(row.id) ?? 0, now: clock.now() }));
}

type RunKey = Pick<RunRow, 'source_id' | 'number'>;

function countItems(database: Kysely<Tables>, { source_id, number }: RunKey) {
  return database
    .selectFrom('source_item')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('source_id', '=', source_id)
    .where('listed_run', '=', number)
    .where(sql<boolean>`read_run is distinct from listed_run`);
}

function countNotices(database: Kysely<Tables>, { source_id, number }: RunKey) {
  return database
    .selectFrom('source_notice')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('source_id', '=', source_id)
    .where('run', '=', number)
    .where('read_at', 'is', null);
}

interface SourceKey {
  readonly workspaceId: string;
  readonly sourceId: string;
}

/** Returns a page of the runs of a source, latest first. Throws `invalid_cursor`. */
export async function listRuns(
  stores: Stores,
  { workspaceId, sourceId }: SourceKey,
  page: PageRequest,
): Promise<Page<RunRecord>> {
  const query = stores.database
    .selectFrom('source_run')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('source_id', '=', sourceId);
  const order = { list: `source runs ${sourceId}`, latest: 'created_at' } as const;
  const { items, nextCursor } = await keysetPage(query, order, page);
  return { items: await toRunRecords(stores, items), nextCursor };
}

interface ItemFilters {
  readonly state?: (typeof itemStates)[number] | undefined;
  readonly code?: string | undefined;
  /** Only items that this run was the last to list or read. */
  readonly runId?: string | undefined;
  /** A part of the address, key or title. */
  readonly q?: string | undefined;
}

const positionSchema = z.string();
const MOST_ALIASES = 50;

/** Returns a page of the items of a source, sorted by key. Throws `invalid_cursor`. */
export async function listItems(
  { database }: Stores,
  { workspaceId, sourceId }: SourceKey,
  { state, code, runId, q, ...page }: ItemFilters & PageRequest,
): Promise<Page<ItemRecord>> {
  const list = `source items ${JSON.stringify([sourceId, state, code, runId, q])}`;
  // If an item was read successfully but its file was not, the failure is that of its document.
  const failed = database
    .selectFrom('document')
    .select(['id', 'failure_code', 'failure_reason'])
    .where('source_id', '=', sourceId)
    .where('status', '=', 'failed')
    .as('failed');
  const items = database
    .selectFrom('source_item')
    .leftJoin(failed, (join) =>
      join.onRef('failed.id', '=', 'source_item.document_id').on('source_item.state', '=', 'current'),
    )
    .selectAll('source_item')
    .select(aliases)
    .select(sql<string>`case when failed.id is null then state else 'failed' end`.as('shown_state'))
    .select(sql<string | null>`coalesce(code, failure_code)`.as('shown_code'))
    .select(sql<string | null>`coalesce(reason, failure_reason)`.as('shown_reason'))
    .where('workspace_id', '=', workspaceId)
    .where('source_id', '=', sourceId)
    .as('item');
  let query = database
    .selectFrom(items)
    .selectAll()
    .orderBy('key')
    .limit(page.limit + 1);
  if (state !== undefined) query = query.where('shown_state', '=', state);
  if (code !== undefined) query = query.where('shown_code', '=', code);
  if (q !== undefined) query = query.where(contains(q));
  if (runId !== undefined) {
    const ofRun = sql`select number from source_run where id = ${runId} and source_id = ${sourceId}`;
    query = query.where(sql<boolean>`(${ofRun}) in (listed_run, read_run)`);
  }
  if (page.cursor !== undefined) {
    query = query.where('key', '>', readCursor(list, page.cursor, positionSchema));
  }
  const rows = await query.execute();
  const found = cutPage(rows, page.limit, ({ key }) => writeCursor(list, key));
  return {
    items: found.items.map(({ shown_state, shown_code, shown_reason, ...row }) =>
      toItemRecord({ ...row, state: shown_state, code: shown_code, reason: shown_reason }),
    ),
    nextCursor: found.nextCursor,
  };
}

/**
 * Pages that were folded into the document of an item since then. An item that is read again may have its own text by
 * now.
 */
const aliases = sql<string[]>`array(
  select page.key from source_page page
  join source_item folded on folded.source_id = page.source_id and folded.key = page.key and folded.code = 'copy'
  where page.source_id = source_item.source_id and page.copy_of = source_item.key
  order by page.key limit ${sql.lit(MOST_ALIASES)}
)`.as('aliases');

function contains(text: string) {
  const pattern = `%${text.replaceAll('\\', '\\\\').replaceAll('%', '\\%').replaceAll('_', '\\_')}%`;
  return sql<boolean>`(key ilike ${pattern} or url ilike ${pattern} or title ilike ${pattern})`;
}
