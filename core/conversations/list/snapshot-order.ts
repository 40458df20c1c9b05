import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import { isoMicroseconds } from '../../storage/keyset-page.ts';
import type { ListOrder, ListRange } from './list-conversations.ts';

interface PlacedRow {
  readonly id: string;
  /** The time of the latest message when the first page was read, with microseconds. */
  readonly exact_position: string;
  readonly snapshot: string;
  /** Conversations with a position before this time can no longer move. */
  readonly settled_before: string;
}

/**
 * Latest activity first, on every page in the order of the first page: a new message moves a conversation to the top of the
 * next listing, but never removes it from the current one.
 */
export function snapshotOrder(now: Date): ListOrder<SnapshotPosition, PlacedRow> {
  return {
    name: 'conversations',
    positionSchema,
    positionFromRow: ({ id, exact_position: at, settled_before: settledBefore, snapshot }) => ({
      ...{ at, id, settledBefore, snapshot },
    }),
    isLatestFirst: true,
    place: ({ rows: source }, range) => sql`
      select * from (${placeRows(source, range)}) conversation order by ${sorted} limit ${range.rows}`,
    sorted,
    columns: (after) => positionColumns(after, now),
  };
}

const sorted = sql`position desc, conversation.id desc`;

/** Tolerance for clock differences between servers. Within it, a server may not see that a conversation moved. */
const clockTolerance = sql`interval '60 seconds'`;

function positionColumns(after: SnapshotPosition | null, now: Date): RawBuilder<PlacedRow> {
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
  return sql<PlacedRow>`
    ${isoMicroseconds(sql.ref('position'))} as exact_position, ${snapshot} as snapshot, ${settledBefore} as settled_before
  `;
}

/**
 * Selects the conversations of `source` after a position: those unchanged since the first page was read come from the
 * index; those that may have moved are placed at their former position.
 */
function placeRows(
  source: RawBuilder<unknown>,
  { after, rows }: ListRange<SnapshotPosition>,
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

const whole = String.raw`\d{1,18}`;
const snapshotPattern = new RegExp(`^${whole}:${whole}:(?:${whole}(?:,${whole})*)?$`);

/** The position at which a list continues: after a conversation, in the order of the first page. */
const positionSchema = z.object({
  /** The last conversation on the page: the time of its latest message, with microseconds, and its id. */
  at: z.iso.datetime(),
  id: z.string().regex(/^\w+$/),
  /** Conversations with a position before this time have not moved since the first page. */
  settledBefore: z.iso.datetime(),
  /** A PostgreSQL snapshot: the transactions whose messages were visible on the first page. */
  snapshot: z.string().regex(snapshotPattern),
});

type SnapshotPosition = z.output<typeof positionSchema>;

/** Matches messages that were stored before the snapshot (`xmin:xmax:running`) was taken. */
function isVisibleInSnapshot(snapshot: string): RawBuilder<SqlBool> {
  const [allBefore, noneFrom, running = ''] = snapshot.split(':');
  const unfinished = running === '' ? [] : running.split(',');
  return sql<SqlBool>`(
    message.stored_in < ${allBefore}::bigint
    or (message.stored_in < ${noneFrom}::bigint and message.stored_in <> all(${unfinished}::bigint[]))
  )`;
}
