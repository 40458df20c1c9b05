import { type Expression, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { z } from 'zod';
import { cutPage, type Page, type PageRequest, readCursor, writeCursor } from '../pagination.ts';
import type { Tables } from './tables/tables.ts';

const positionSchema = z.tuple([z.iso.datetime(), z.string().regex(/^\w+$/)]);

interface ListOrder {
  /** The name of the list and of all that it is limited to. */
  readonly list: string;
  /** The column whose latest value comes first; of equal ones the greatest id. */
  readonly latest: 'created_at' | 'updated_at' | 'at';
}

/** One page of `query`, which selects from one table. Throws `invalid_cursor`. */
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

/** A time as ISO 8601 text with microseconds: what a `Date` would cut off decides where a page ends. */
export function isoMicroseconds(time: Expression<unknown>): RawBuilder<string> {
  return sql<string>`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}
