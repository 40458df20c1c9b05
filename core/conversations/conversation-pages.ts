import { type Expression, type Kysely, type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import { exactTime } from '../storage/exact-time.ts';
import type { Tables } from '../storage/tables.ts';
import type { FilterConditions } from './filter-conditions.ts';
import type { ListPosition } from './list-position.ts';
import { wasStored } from './was-stored.ts';

export type PlacedRow = Selectable<Tables['conversation']> & {
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
export async function conversationPage(
  database: Kysely<Tables>,
  wanted: PageWanted,
): Promise<readonly PlacedRow[]> {
  const { conditions, rows } = wanted;
  if (conditions.unordered.length === 0) return lookThrough(database, wanted, rows);
  const found = await lookThrough(database, wanted, headRows);
  const conclusive = found.length === rows || (found[0]?.head_size ?? headRows) < headRows;
  return conclusive ? found : sortOut(database, wanted);
}

/** Those of the first `head` rows in the order of the list that pass; `head_size` is how many of them there are. */
async function lookThrough(
  database: Kysely<Tables>,
  { conditions, after, rows, now }: PageWanted,
  head: number,
): Promise<readonly (PlacedRow & { readonly head_size: number })[]> {
  const source = sql`(select * from conversation where ${all(conditions.ordered)}) conversation`;
  const result = await sql<PlacedRow & { readonly head_size: number }>`
    with head as materialized (
      select * from (${placed(source, { after, rows: head })}) placed
      order by position desc, id desc limit ${head}
    )
    select conversation.*, ${place(after, now)}, (select count(*) from head)::int as head_size
    from head conversation
    where ${all(conditions.unordered)}
    order by position desc, id desc limit ${rows}
  `.execute(database);
  return result.rows;
}

/** The `offset` keeps the planner from following the order of the list in search of what passes. */
async function sortOut(
  database: Kysely<Tables>,
  { conditions, after, rows, now }: PageWanted,
): Promise<readonly PlacedRow[]> {
  const passing = all([...conditions.ordered, ...conditions.unordered]);
  const source = sql`(select * from conversation where ${passing} offset 0) conversation`;
  const result = await sql<PlacedRow>`
    select placed.*, ${place(after, now)} from (${placed(source, { after, rows })}) placed
    order by position desc, id desc limit ${rows}
  `.execute(database);
  return result.rows;
}

function place(after: ListPosition | null, now: Date): RawBuilder<unknown> {
  // The first page takes the snapshot that its own statement reads, and the time of a clock that is not ahead.
  const first = {
    snapshot: sql`pg_current_snapshot()::text`,
    settledBefore: exactTime(sql`(least(${now}::timestamptz, statement_timestamp()) - ${clockTolerance})`),
  };
  const later = after && {
    snapshot: sql`${after.snapshot}::text`,
    settledBefore: sql`${after.settledBefore}::text`,
  };
  const { snapshot, settledBefore } = later ?? first;
  return sql`
    ${exactTime(sql.ref('position'))} as exact_position, ${snapshot} as snapshot, ${settledBefore} as settled_before
  `;
}

/**
 * The conversations of `source` that come after a position: those that have rested since the first page was read, as
 * the index has them, and those that may have moved, put back in their place.
 */
function placed(
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
        where message.conversation_id = conversation.id and ${wasStored(snapshot)}
      ) as position
      from ${source}
      where last_message_at >= ${settledBefore}::timestamptz
    ) lively
    where (position, id) < (${at}::timestamptz, ${id})`;
}

function all(conditions: readonly Expression<SqlBool>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`true` : sql`(${sql.join([...conditions], sql`) and (`)})`;
}
