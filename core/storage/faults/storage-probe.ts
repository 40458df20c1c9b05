import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables/tables.ts';

/** Load balancers ask every second; a page each time would be too much. */
const INTERVAL_MS = 5_000;
/** Almost a page of 8 kB, so that each row needs a new one. */
const PAYLOAD_LENGTH = 7_800;
/** The table is emptied at this size. */
const MAX_BYTES = 2 ** 20;

/**
 * Finds out whether tables can grow. On a full disk the database still updates rows in place and answers reads, so that only a
 * row on a new page tells.
 */
export class StorageProbe {
  readonly #database: Kysely<Tables>;
  #grownAt = Number.NEGATIVE_INFINITY;

  constructor(database: Kysely<Tables>) {
    this.#database = database;
  }

  /** Adds a page to a table of its own, if that was not done lately. Rejects if the table cannot grow. */
  async grow(): Promise<void> {
    if (performance.now() - this.#grownAt < INTERVAL_MS) return;
    await sql`insert into storage_probe (payload) values (repeat('x', ${PAYLOAD_LENGTH}))`.execute(
      this.#database,
    );
    this.#grownAt = performance.now();
    const { rows } = await sql<{ bytes: number }>`
      select pg_relation_size('storage_probe')::int as bytes`.execute(this.#database);
    if ((rows[0]?.bytes ?? 0) > MAX_BYTES) await this.#empty();
  }

  /** Does nothing if another process uses the table just now: one of the next looks empties it. */
  async #empty(): Promise<void> {
    await sql`
      do $$
      begin
        lock table storage_probe in access exclusive mode nowait;
        truncate storage_probe;
      exception when lock_not_available then
        null;
      end
      $$
    `.execute(this.#database);
  }
}
