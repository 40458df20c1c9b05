import type pg from 'pg';
import type { EmbeddedPool } from './embedded/embedded-pool.ts';
import { preparedName } from './prepared.ts';

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
