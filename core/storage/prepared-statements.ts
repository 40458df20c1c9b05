import { createHash } from 'node:crypto';
import { CompiledQuery, type Kysely, type RawBuilder } from 'kysely';
import type pg from 'pg';
import { stringifyStorable } from '../text.ts';
import type { EmbeddedPool } from './embedded/embedded-pool.ts';
import type { Tables } from './tables/tables.ts';

const names = new Map<string, string>();

/**
 * A statement that is run for every message: each session parses and plans it once, and from then on gets the values
 * alone. Name what it returns column by column: one with `*` would fail in the sessions of a running version when a newer
 * one adds a column. `text` may not be made at run time, for nothing is ever forgotten of it.
 */
export function prepareStatement<Row>(
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
function preparedName(text: string): string | undefined {
  return names.get(text);
}

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

export function batchParameters(rows: readonly object[]): [string, string] {
  return [stringifyStorable(rows), rows.length > 1 ? patience : '0'];
}

/** A pool as Kysely takes it, on which `prepared` statements are. */
export class PreparingPool {
  readonly #pool: pg.Pool | EmbeddedPool;

  constructor(pool: pg.Pool | EmbeddedPool) {
    this.#pool = pool;
  }

  async connect() {
    const client = await this.#pool.connect();
    return {
      query: (text: string, values: unknown[]) => client.query({ name: preparedName(text), text, values }),
      release: () => client.release(),
    };
  }

  end(): Promise<void> {
    return this.#pool.end();
  }
}
