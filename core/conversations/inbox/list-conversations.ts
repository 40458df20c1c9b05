import { type Expression, type Kysely, type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { cutPage, type Page, type PageRequest, readCursor, writeCursor } from '../../base/pagination.ts';
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
 * Lists the conversations of a workspace, latest activity first. Every page uses the order of the first page: a new
 * message moves a conversation to the top of the next listing, but never removes it from the current one. Throws
 * `invalid_cursor`.
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
  /** The sort position: the time of the latest message when the first page was read, with microseconds. */
  readonly exact_position: string;
  readonly snapshot: string;
  /** Conversations with a position before this time can no longer move. */
  readonly settled_before: string;
};

interface PageWanted {
  readonly conditions: FilterConditions;
  /** Null for the first page. */
  readonly after: ListPosition | null;
  readonly rows: number;
  readonly now: Date;
}

/** Tolerance for clock differences between servers. Within it, a server may not see that a conversation moved. */
const clockTolerance = sql`interval '60 seconds'`;

/** The number of latest conversations that are filtered by a scan. */
const headRows = 400;

/**
 * Loads the next rows of a list. Most filters match many conversations, so a scan of the latest ones fills the page. If
 * it finds too few, the filters' own indexes select the matches, which are then sorted. The planner cannot choose between
 * the two in advance, because it cannot know whether a word occurs in every second conversation or in none.
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

/** Returns the matching rows among the first `head` rows of the list; `head_size` is the number of rows scanned. */
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

/** `offset 0` prevents the planner from scanning in list order until it finds matches. */
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
  // The first page stores its own statement's snapshot, and the earlier of the two clocks.
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
 * Selects the conversations of `source` after a position: those unchanged since the first page was read come from the
 * index; those that may have moved are placed at their former position.
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

/** The position at which a list continues: after a conversation, in the order of the first page. */
const listPositionSchema = z.object({
  /** The last conversation on the page: the time of its latest message, with microseconds, and its id. */
  at: z.iso.datetime(),
  id: z.string().regex(/^\w+$/),
  /** Conversations with a position before this time have not moved since the first page. */
  settledBefore: z.iso.datetime(),
  /** A PostgreSQL snapshot: the transactions whose messages were visible on the first page. */
  snapshot: z.string().regex(snapshotPattern),
});

type ListPosition = z.output<typeof listPositionSchema>;

/** Matches messages that were stored before the snapshot (`xmin:xmax:running`) was taken. */
function isVisibleInSnapshot(snapshot: string): RawBuilder<SqlBool> {
  const [allBefore, noneFrom, running = ''] = snapshot.split(':');
  const unfinished = running === '' ? [] : running.split(',');
  return sql<SqlBool>`(
    message.stored_in < ${allBefore}::bigint
    or (message.stored_in < ${noneFrom}::bigint and message.stored_in <> all(${unfinished}::bigint[]))
  )`;
}
