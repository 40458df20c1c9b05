import { createHash } from 'node:crypto';
import { CompiledQuery, type Kysely, type RawBuilder } from 'kysely';
import type { Tables } from './tables.ts';

const names = new Map<string, string>();

/**
 * A statement that is run for every message: each session parses and plans it once, and from then on gets the values
 * alone. Name what it returns column by column: one with `*` would fail in the sessions of a running version when a newer
 * one adds a column. `text` may not be made at run time, for nothing is ever forgotten of it.
 */
export function prepared<Row>(
  text: string,
): (database: Kysely<Tables>, values: readonly unknown[]) => Promise<readonly Row[]> {
  keepName(text);
  return async (database, values) => {
    const { rows } = await database.executeQuery<Row>(CompiledQuery.raw(text, [...values]));
    return rows;
  };
}

/** As `prepared`, at once, for a statement whose text is the same whatever its values are. */
export async function runPrepared<Row>(
  statement: RawBuilder<Row>,
  database: Kysely<Tables>,
): Promise<readonly Row[]> {
  const query = statement.compile(database);
  keepName(query.sql);
  const { rows } = await database.executeQuery(query);
  return rows;
}

function keepName(text: string): void {
  if (names.has(text)) return;
  names.set(text, `parley_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`);
}

/** What sessions know a prepared statement by; undefined for any other text. */
export function preparedName(text: string): string | undefined {
  return names.get(text);
}
