import { type Expression, type Kysely, type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import { cutPage, type Page, type PageRequest, readCursor, writeCursor } from '../../pagination.ts';
import { isoMicroseconds } from '../../storage/keyset-page.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import type { Workspace } from '../../workspaces/workspaces.ts';
import {
  buildFilterConditions,
  type ConversationFilters,
  type FilterConditions,
} from './conversation-filters.ts';
import { type ConversationRecord, conversationFromRow } from './conversation-record.ts';

interface Stores {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
}

export interface ConversationListRequest {
  readonly workspace: Pick<Workspace, 'id' | 'settings'>;
  readonly filters: Omit<ConversationFilters, 'workspaceId'>;
  readonly page: PageRequest;
}

/**
 * Conversations of a workspace, latest activity first. Each page keeps to the order of the first one: what is said
 * while somebody pages lifts a conversation to the top of the next reading, and takes it out of this one in no case.
 * Throws `invalid_cursor`.
 */
export async function listConversations(
  { database, clock }: Stores,
  { workspace, filters, page }: ConversationListRequest,
): Promise<Page<ConversationRecord>> {
  const now = clock.now();
  const policy = workspace.settings.sla;
  const wanted = { ...filters, workspaceId: workspace.id };
  const list = `conversations ${JSON.stringify(wanted)}`;
  const after = page.cursor === undefined ? null : readCursor(list, page.cursor, listPositionSchema);
  const conditions = buildFilterConditions(wanted, { policy, now });
  const rows = await loadConversationPage(database, { conditions, after, rows: page.limit + 1, now });
  const { items, nextCursor } = cutPage(rows, page.limit, (row) => {
    const { id, exact_position: at, settled_before: settledBefore, snapshot } = row;
    return writeCursor(list, { at, id, settledBefore, snapshot } satisfies ListPosition);
  });
  return { items: items.map((row) => conversationFromRow(row, policy, now)), nextCursor };
}

type PositionedRow = Selectable<Tables['conversation']> & {
  /** Where it stands in the list: its latest message when the first page was read, with microseconds. */
  readonly exact_position: string;
  readonly snapshot: string;
  /** Nothing that is older than this changes its place any more. */
  readonly settled_before: string;
};

interface PageWanted {
  readonly conditions: FilterConditions;
  /** Null: the first page. */
  readonly after: ListPosition | null;
  readonly rows: number;
  readonly now: Date;
}

/** How far the clocks of the servers may lie apart without one hiding from another that a conversation moved. */
const clockTolerance = sql`interval '60 seconds'`;

/** So many of the latest conversations are looked through one by one. */
const headRows = 400;

/**
 * The next rows of a list. Most filters let many pass, and looking through the latest conversations finds them at
 * once; where that finds too few, the indexes of the filters tell which pass, and those are sorted. The planner
 * cannot know beforehand which of the two it is: a word may be in every second conversation, or in none.
 */
async function loadConversationPage(
  database: Kysely<Tables>,
  wanted: PageWanted,
): Promise<readonly PositionedRow[]> {
  const { conditions, rows } = wanted;
  if (conditions.unordered.length === 0) return scanHead(database, wanted, rows);
  const found = await scanHead(database, wanted, headRows);
  const conclusive = found.length === rows || (found[0]?.head_size ?? headRows) < headRows;
  return conclusive ? found : selectMatches(database, wanted);
}

/** Those of the first `head` rows in the order of the list that pass; `head_size` is how many of them there are. */
async function scanHead(
  database: Kysely<Tables>,
  { conditions, after, rows, now }: PageWanted,
  head: number,
): Promise<readonly (PositionedRow & { readonly head_size: number })[]> {
  const source = sql`(select * from conversation where ${all(conditions.ordered)}) conversation`;
  const result = await sql<PositionedRow & { readonly head_size: number }>`
    with head as materialized (
      select * from (${withPositions(source, { after, rows: head })}) placed
      order by position desc, id desc limit ${head}
    )
    select conversation.*, ${positionColumns(after, now)}, (select count(*) from head)::int as head_size
    from head conversation
    where ${all(conditions.unordered)}
    order by position desc, id desc limit ${rows}
  `.execute(database);
  return result.rows;
}

/** The `offset` keeps the planner from following the order of the list in search of what passes. */
async function selectMatches(
  database: Kysely<Tables>,
  { conditions, after, rows, now }: PageWanted,
): Promise<readonly PositionedRow[]> {
  const passing = all([...conditions.ordered, ...conditions.unordered]);
  const source = sql`(select * from conversation where ${passing} offset 0) conversation`;
  const result = await sql<PositionedRow>`
    select placed.*, ${positionColumns(after, now)} from (${withPositions(source, { after, rows })}) placed
    order by position desc, id desc limit ${rows}
  `.execute(database);
  return result.rows;
}

function positionColumns(after: ListPosition | null, now: Date): RawBuilder<unknown> {
  // The first page takes the snapshot that its own statement reads, and the time of a clock that is not ahead.
  const first = {
    snapshot: sql`pg_current_snapshot()::text`,
    settledBefore: isoMicroseconds(
      sql`(least(${now}::timestamptz, statement_timestamp()) - ${clockTolerance})`,
    ),
  };
  const later = after && {
    snapshot: sql`${after.snapshot}::text`,
    settledBefore: sql`${after.settledBefore}::text`,
  };
  const { snapshot, settledBefore } = later ?? first;
  return sql`
    ${isoMicroseconds(sql.ref('position'))} as exact_position, ${snapshot} as snapshot, ${settledBefore} as settled_before
  `;
}

/**
 * The conversations of `source` that come after a position: those that have rested since the first page was read, as
 * the index has them, and those that may have moved, put back in their place.
 */
function withPositions(
  source: RawBuilder<unknown>,
  { after, rows }: { readonly after: ListPosition | null; readonly rows: number },
): RawBuilder<unknown> {
  if (after === null) return sql`select conversation.*, last_message_at as position from ${source}`;
  const { at, id, settledBefore, snapshot } = after;
  return sql`
    (
      select conversation.*, last_message_at as position from ${source}
      where last_message_at < ${settledBefore}::timestamptz
        and (last_message_at, id) < (${at}::timestamptz, ${id})
      order by last_message_at desc, id desc limit ${rows}
    )
    union all
    select * from (
      select conversation.*, (
        select max(message.created_at) from message
        where message.conversation_id = conversation.id and ${isVisibleInSnapshot(snapshot)}
      ) as position
      from ${source}
      where last_message_at >= ${settledBefore}::timestamptz
    ) lively
    where (position, id) < (${at}::timestamptz, ${id})`;
}

function all(conditions: readonly Expression<SqlBool>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`true` : sql`(${sql.join([...conditions], sql`) and (`)})`;
}

const whole = String.raw`\d{1,18}`;
const snapshotPattern = new RegExp(`^${whole}:${whole}:(?:${whole}(?:,${whole})*)?$`);

/**
 * Where a list of conversations goes on: after a conversation, in the order that they were in when the first page
 * was read.
 */
const listPositionSchema = z.object({
  /** The last conversation shown: its latest message, with microseconds, and its id. */
  at: z.iso.datetime(),
  id: z.string().regex(/^\w+$/),
  /** Nothing that is older than this has changed its place since. */
  settledBefore: z.iso.datetime(),
  /** What PostgreSQL calls a snapshot: the transactions whose messages counted on the first page. */
  snapshot: z.string().regex(snapshotPattern),
});

type ListPosition = z.output<typeof listPositionSchema>;

/** Whether a message had been stored when the snapshot (`xmin:xmax:running`) was taken. */
function isVisibleInSnapshot(snapshot: string): RawBuilder<SqlBool> {
  const [allBefore, noneFrom, running = ''] = snapshot.split(':');
  const unfinished = running === '' ? [] : running.split(',');
  return sql<SqlBool>`(
    message.stored_in < ${allBefore}::bigint
    or (message.stored_in < ${noneFrom}::bigint and message.stored_in <> all(${unfinished}::bigint[]))
  )`;
}
