import type { Kysely } from 'kysely';
import type { Tables } from './tables/tables.ts';

/** Facts about the whole installation, kept in the database so that every process sees the same. */
export class Settings {
  readonly #database: Kysely<Tables>;

  constructor(database: Kysely<Tables>) {
    this.#database = database;
  }

  async get(name: string): Promise<string | null> {
    const row = await this.#database
      .selectFrom('setting')
      .select('value')
      .where('name', '=', name)
      .executeTakeFirst();
    return row?.value ?? null;
  }

  async set(name: string, value: string): Promise<void> {
    await this.#database
      .insertInto('setting')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute();
  }

  /** Stores `value` unless there is one already; returns what is stored, whoever stored it. */
  async getOrSet(name: string, value: string): Promise<string> {
    await this.#database
      .insertInto('setting')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    return (await this.get(name)) ?? value;
  }
}
