import { createHash } from 'node:crypto';
import { CompiledQuery, type Kysely } from 'kysely';
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
  names.set(text, `parley_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`);
  return async (database, values) => {
    const { rows } = await database.executeQuery<Row>(CompiledQuery.raw(text, [...values]));
    return rows;
  };
}

/** What sessions know a prepared statement by; undefined for any other text. */
export function preparedName(text: string): string | undefined {
  return names.get(text);
}
