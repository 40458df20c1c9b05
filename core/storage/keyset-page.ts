import { type Expression, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { z } from 'zod';
import { cutPage, type Page, type PageRequest, readCursor, writeCursor } from '../base/pagination.ts';
import type { Tables } from './tables/tables.ts';

const positionSchema = z.tuple([z.iso.datetime(), z.string().regex(/^\w+$/)]);

interface ListOrder {
  /** Name of the list, including everything that limits it. */
  readonly list: string;
  /** The column to sort by, latest first. Equal values are sorted by descending id. */
  readonly latest: 'created_at' | 'updated_at' | 'found_at' | 'at';
}

/** Returns one page of `query`, which must select from one table. Throws `invalid_cursor`. */
export async function keysetPage<Table extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  { list, latest }: ListOrder,
  page: PageRequest,
): Promise<Page<Row>> {
  const [time, id] = [sql.ref(latest), sql.ref('id')];
  let selected = query
    .select([isoMicroseconds(time).as('page_time'), sql<string>`${id}`.as('page_id')])
    .orderBy(time, 'desc')
    .orderBy(id, 'desc')
    .limit(page.limit + 1);
  if (page.cursor !== undefined) {
    const [lastTime, lastId] = readCursor(list, page.cursor, positionSchema);
    selected = selected.where(sql<boolean>`(${time}, ${id}) < (${lastTime}::timestamptz, ${lastId})`);
  }
  const rows = await selected.execute();
  return cutPage<Row & { page_time: string; page_id: string }>(rows, page.limit, (row) =>
    writeCursor(list, [row.page_time, row.page_id]),
  );
}

/**
 * Formats a time as ISO 8601 with microseconds. A `Date` would cut them off, but they decide where a page ends.
 */
export function isoMicroseconds(time: Expression<unknown>): RawBuilder<string> {
  return sql<string>`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}
