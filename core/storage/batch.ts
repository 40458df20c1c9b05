import { toStorableJson } from '../text.ts';

const patience = '2s';

/**
 * For the `from` of a prepared statement: rows under the name `asked`, of columns that are given with their types. The
 * values of `batchOf` are its first two. Where one of several rows waits for what another transaction has, the statement
 * gives up soon, so that nobody waits for long for what is not his: each is to be tried alone then.
 */
export function batchRows(columns: Readonly<Record<string, string>>): string {
  const typed = Object.entries(columns).map(([name, type]) => `${name} ${type}`);
  const rows = `case when set_config('lock_timeout', $2, true) is not null then ($1::text)::json end`;
  return `json_to_recordset(${rows}) as asked (${typed.join(', ')})`;
}

export function batchOf(rows: readonly object[]): [string, string] {
  return [toStorableJson(rows), rows.length > 1 ? patience : '0'];
}
