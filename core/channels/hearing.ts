import { type Kysely, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Tables } from '../storage/tables.ts';

const everyMs = 10_000;

/** Keeps when platforms were heard of last, and not each time. */
export class Hearing {
  readonly #database: Kysely<Tables>;
  readonly #written = new LRUCache<string, number>({ max: 10_000 });

  constructor(database: Kysely<Tables>) {
    this.#database = database;
  }

  async heard(id: string, at: Date): Promise<void> {
    const time = at.getTime();
    if (time - (this.#written.get(id) ?? 0) < everyMs) return;
    this.#written.set(id, time);
    await this.#database
      .updateTable('channel')
      .set({
        heard_at: at,
        // What was stored unverified has shown that it works.
        status: sql<string>`case status when 'connecting' then 'connected' else status end`,
      })
      .where('id', '=', id)
      .where((where) =>
        // Other processes hear of it too.
        where.or([
          where('heard_at', 'is', null),
          where('heard_at', '<=', new Date(time - everyMs)),
          where('status', '=', 'connecting'),
        ]),
      )
      .execute();
  }
}
