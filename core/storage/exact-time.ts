import { type Expression, type RawBuilder, sql } from 'kysely';

/** A time as ISO 8601 text with microseconds: what a `Date` would cut off decides where a page ends. */
export function exactTime(time: Expression<unknown>): RawBuilder<string> {
  return sql<string>`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}
