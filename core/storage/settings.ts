import type { Kysely } from 'kysely';
import type { Tables } from './tables/tables.ts';

/** Settings of the whole installation, stored in the database and shared by all processes. */
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

  async remove(name: string): Promise<void> {
    await this.#database.deleteFrom('setting').where('name', '=', name).execute();
  }

  /** Stores `value` unless a value exists. Returns the stored value. */
  async getOrSet(name: string, value: string): Promise<string> {
    await this.#database
      .insertInto('setting')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    return (await this.get(name)) ?? value;
  }
}
