import { createHash } from 'node:crypto';
import { CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import { stringifyStorable } from '../base/text.ts';
import type { EmbeddedPool } from './embedded/embedded-pool.ts';
import type { StatementFaults } from './faults/statement-faults.ts';
import type { Tables } from './tables/tables.ts';

const names = new Map<string, string>();

/**
 * Defines a statement that runs for every message: each session parses and plans it once and then only receives
 * values. List the result columns explicitly, because `*` would fail in sessions of a running version after a
 * newer one adds a column. `text` must be constant, because it is never released.
 */
export function prepareStatement<Row>(
  text: string,
): (database: Kysely<Tables>, values: readonly unknown[]) => Promise<readonly Row[]> {
  registerName(text);
  return async (database, values) => {
    const { rows } = await database.executeQuery<Row>(CompiledQuery.raw(text, [...values]));
    return rows;
  };
}

/** Runs a statement as prepared. It serves statements whose text does not depend on their values. */
export async function runPrepared<Row>(
  statement: RawBuilder<Row>,
  database: Kysely<Tables>,
): Promise<readonly Row[]> {
  const query = statement.compile(database);
  registerName(query.sql);
  const { rows } = await database.executeQuery(query);
  return rows;
}

function registerName(text: string): void {
  if (names.has(text)) return;
  names.set(text, `parley_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`);
}

/** Returns the name of a prepared statement, or undefined for any other text. */
function preparedName(text: string): string | undefined {
  return names.get(text);
}

const lockTimeout = '2s';

/**
 * Returns the `from` clause of a prepared statement that reads a batch of rows as `asked`, with the given
 * columns and types. The values of `batchParameters` are its first two parameters. If one of several rows waits
 * for a lock, the statement fails after two seconds, so that the others do not wait; each row must then be
 * retried alone.
 */
export function batchRows(columns: Readonly<Record<string, string>>): string {
  const typed = Object.entries(columns).map(([name, type]) => `${name} ${type}`);
  const rows = `case when set_config('lock_timeout', $2, true) is not null then ($1::text)::json end`;
  return `json_to_recordset(${rows}) as asked (${typed.join(', ')})`;
}

export function batchParameters(rows: readonly object[]): [string, string] {
  return [stringifyStorable(rows), rows.length > 1 ? lockTimeout : '0'];
}

/** A pool for Kysely on which the statements defined here are prepared. It notes what the disk refuses. */
export class PreparingPool {
  readonly #pool: pg.Pool | EmbeddedPool;
  readonly #faults: StatementFaults;

  constructor(pool: pg.Pool | EmbeddedPool, faults: StatementFaults) {
    this.#pool = pool;
    this.#faults = faults;
  }

  async connect() {
    const client = await this.#pool.connect();
    return {
      query: async (text: string, values: unknown[]) => {
        try {
          return await client.query({ name: preparedName(text), text, values });
        } catch (error) {
          this.#faults.note(error);
          throw error;
        }
      },
      release: () => client.release(),
    };
  }

  end(): Promise<void> {
    return this.#pool.end();
  }
}

/** Matches any of `ids`, also if the list is empty (`in ()` is not valid SQL). */
export function anyOf(ids: readonly string[]): RawBuilder<string> {
  return sql<string>`any(${[...ids]}::text[])`;
}
