import { type Expression, type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { z } from 'zod';
import { cutPage, type Page, type PageRequest, readCursor, writeCursor } from '../../base/pagination.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { candidateQueries, listConditions } from './conditions.ts';
import type { ConversationFilters, ListReader } from './filters.ts';

/** The order of a list and the position at which it continues. `Placed` are the columns that tell the position of a row. */
export interface ListOrder<Position, Placed> {
  /** Its cursors are valid in no other order. */
  readonly name: string;
  readonly positionSchema: z.ZodType<Position>;
  readonly positionFromRow: (row: Placed) => Position;
  /** Whether the latest conversations come first, so that most pages can be read from them. */
  readonly isLatestFirst: boolean;
  /** Selects the next rows after a position, sorted: `conversation.*` and the columns that `sorted` names. */
  readonly place: (source: ListSource, range: ListRange<Position>) => RawBuilder<unknown>;
  /** Sorts placed rows. */
  readonly sorted: RawBuilder<unknown>;
  /** Selects the columns of `Placed` from placed rows. */
  readonly columns: (after: Position | null) => RawBuilder<Placed>;
}

export interface ListSource {
  /** The rows of the list, as `conversation`. */
  readonly rows: RawBuilder<unknown>;
  /** The conversations that a person has, as `conversation`. */
  readonly handedOver: RawBuilder<unknown>;
}

export interface ListRange<Position> {
  /** Null for the first page. */
  readonly after: Position | null;
  readonly rows: number;
}

interface ListRequest<Position, Placed, Row> {
  readonly filters: ConversationFilters;
  /** Only these. */
  readonly ids?: readonly string[];
  readonly order: ListOrder<Position, Placed>;
  readonly page: PageRequest;
  /** Columns of each `conversation` that the list shows, and the tables that they come from. */
  readonly shown: ShownColumns<Row>;
}

interface ShownColumns<Row> {
  readonly columns: RawBuilder<Row>;
  readonly joins: RawBuilder<unknown>;
}

/**
 * Returns a page of the conversations that match filters: the one list behind the API and the inbox. Throws
 * `invalid_cursor`, also for a cursor of other filters or of another order.
 */
export async function listConversations<Position, Placed, Row>(
  database: Kysely<Tables>,
  reader: ListReader,
  request: ListRequest<Position, Placed, Row>,
): Promise<Page<Row & Placed>> {
  const { filters, order, page } = request;
  const list = `${order.name} ${JSON.stringify([reader.workspaceId, reader.personId, filters])}`;
  const after = page.cursor === undefined ? null : readCursor(list, page.cursor, order.positionSchema);
  const rows = await readRows(database, reader, { request, after, rows: page.limit + 1 });
  return cutPage(rows, page.limit, (row) => writeCursor(list, order.positionFromRow(row)));
}

interface Reading<Position, Placed, Row> extends ListRange<Position> {
  readonly request: ListRequest<Position, Placed, Row>;
}

/** The number of latest conversations that are searched before the indexes of the filters are. */
const headRows = 400;

/**
 * Most filters match many conversations, so the latest ones fill a page. If they do not, the matches are selected by
 * their own indexes and then sorted. The planner cannot choose between the two in advance, because it cannot know
 * whether a word occurs in every second conversation or in none.
 */
async function readRows<Position, Placed, Row>(
  database: Kysely<Tables>,
  reader: ListReader,
  reading: Reading<Position, Placed, Row>,
): Promise<readonly (Row & Placed)[]> {
  const { request, after, rows } = reading;
  const { filters, ids, order } = request;
  const { ordered, common, rare } = listConditions(filters, reader);
  const few = ids === undefined ? rare : [...rare, isOneOf(ids)];
  const conditions = [...ordered, ...common, ...few];
  const place = (source: RawBuilder<unknown>, most = rows) =>
    order.place(
      { rows: source, handedOver: select([...conditions, sql`handover_since is not null`]) },
      { after, rows: most },
    );
  const load = (page: RawBuilder<unknown>) => loadRows(database, reading, { page });
  if (few.length > 0) return load(place(select(conditions)));
  const latest = sql`(select * from conversation where ${all(ordered)}) conversation`;
  if (common.length === 0) return load(place(latest));
  if (order.isLatestFirst) {
    const head = place(latest, headRows);
    const page = sql`
      select * from (${head}) conversation where ${all(common)} order by ${order.sorted} limit ${rows}`;
    const found = await loadRows(database, reading, { page, head });
    if (found.length === rows || (found[0]?.head_size ?? headRows) < headRows) return found;
  }
  // The planner knows how rare a word of a message is, but not a part of a name, nor a word that may be elsewhere.
  const { q, customer } = filters;
  const narrowed = await narrow(database, reader.isInInbox ? { q, customer } : { customer }, reader);
  return load(place(select([...conditions, ...narrowed])));
}

interface PageSource {
  readonly page: RawBuilder<unknown>;
  /** The rows among which `page` looks for matches. */
  readonly head?: RawBuilder<unknown>;
}

/**
 * One statement: the rows of the page, and what the list shows of each. It counts the head only if it found less than a page
 * there; else it stops reading where the page is full.
 */
async function loadRows<Position, Placed, Row>(
  database: Kysely<Tables>,
  { request: { order, shown }, after, rows }: Reading<Position, Placed, Row>,
  { page, head }: PageSource,
): Promise<readonly (Row & Placed & HeadSize)[]> {
  const headSize =
    head === undefined
      ? sql`null::int`
      : sql`case when count(*) over () < ${rows} then (select count(*)::int from (${head}) head) end`;
  const result = await sql<Row & Placed & HeadSize>`
    select ${shown.columns}, ${order.columns(after)}, ${headSize} as head_size
    from (${page}) conversation ${shown.joins}
    order by ${order.sorted}
  `.execute(database);
  return result.rows;
}

interface HeadSize {
  /** The number of rows that were searched; null if it was not counted. */
  readonly head_size: number | null;
}

/** `offset 0` prevents the planner from scanning in the order of the list until it finds matches. */
function select(conditions: readonly Expression<unknown>[]): RawBuilder<unknown> {
  return sql`(select * from conversation where ${all(conditions)} offset 0) conversation`;
}

export function all(conditions: readonly Expression<unknown>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`true` : sql`(${sql.join([...conditions], sql`) and (`)})`;
}

function isOneOf(ids: readonly string[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`id = any (${[...ids]}::text[])`;
}

/** With more candidates than these it is better to check other conditions first. */
const mostCandidates = 2_000;

/**
 * Finds the conversations that can match a text, and returns conditions that select them. If there are few, no other
 * way is as fast. The planner cannot know this, and would read all conversations.
 */
async function narrow(
  database: Kysely<Tables>,
  filters: ConversationFilters,
  reader: ListReader,
): Promise<readonly RawBuilder<unknown>[]> {
  const found = await Promise.all(
    candidateQueries(filters, reader).map(async (query) => {
      const { rows } = await sql<{ id: string }>`${query} limit ${mostCandidates + 1}`.execute(database);
      return rows.map(({ id }) => id);
    }),
  );
  return found.filter(({ length }) => length <= mostCandidates).map((ids) => isOneOf([...new Set(ids)]));
}

/** Selects what matches filters, or the conversations with these ids, as `conversation`. */
export function selectMatching(
  reader: ListReader,
  range: { readonly ids: readonly string[] } | { readonly filters: ConversationFilters },
): RawBuilder<unknown> {
  const { ordered, common, rare } = listConditions('filters' in range ? range.filters : {}, reader);
  return select([...ordered, ...common, ...rare, ...('ids' in range ? [isOneOf(range.ids)] : [])]);
}

export interface Counting {
  readonly filters: ConversationFilters;
  /** Counting ends at this number, so that it costs the same in a small and in a large inbox. */
  readonly most: number;
}

/** Returns the number of conversations for each of the filters, in one statement; `most` means as many or more. */
export async function countConversations<Name extends string>(
  database: Kysely<Tables>,
  reader: ListReader,
  wanted: ReadonlyMap<Name, Counting>,
): Promise<ReadonlyMap<Name, number>> {
  if (wanted.size === 0) return new Map();
  const counts = await Promise.all(
    [...wanted.values()].map(async ({ filters, most }) => {
      const { ordered, common, rare } = listConditions(filters, reader);
      const matching = all([...ordered, ...common, ...rare, ...(await narrow(database, filters, reader))]);
      return sql`(
        select count(*)::int from (select from conversation where ${matching} limit ${most}) matching
      )`;
    }),
  );
  const { rows } = await sql<{ counts: number[] }>`select array[${sql.join(counts)}] as counts`.execute(
    database,
  );
  return new Map([...wanted.keys()].map((name, index) => [name, rows[0]?.counts[index] ?? 0]));
}
