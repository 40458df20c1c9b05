import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** Whether a message had been stored when the snapshot (`xmin:xmax:running`) was taken. */
export function wasStored(snapshot: string): RawBuilder<SqlBool> {
  const [allBefore, noneFrom, running = ''] = snapshot.split(':');
  const unfinished = running === '' ? [] : running.split(',');
  return sql<SqlBool>`(
    message.stored_in < ${allBefore}::bigint
    or (message.stored_in < ${noneFrom}::bigint and message.stored_in <> all(${unfinished}::bigint[]))
  )`;
}
