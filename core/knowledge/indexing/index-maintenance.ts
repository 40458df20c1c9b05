import type { Runtime } from '../../runtime.ts';
import { vacuum } from '../../storage/vacuum.ts';

/** After so many new chunks the tables are swept, even while more documents wait. */
const chunksBetween = 1_000;
/** With nothing left to index it is worth it for less. */
const chunksWhenIdle = 50;

/** Keeps the tables in shape while documents come in. */
export class IndexMaintenance {
  readonly #runtime: Pick<Runtime, 'database'>;
  #changedChunks = 0;

  constructor(runtime: Pick<Runtime, 'database'>) {
    this.#runtime = runtime;
  }

  async after(documentId: string): Promise<void> {
    const { database } = this.#runtime;
    const row = await database.kysely
      .selectFrom('document')
      .select('chunk_count')
      .where('id', '=', documentId)
      .executeTakeFirst();
    this.#changedChunks += row?.chunk_count ?? 1;
    if (this.#changedChunks < (await this.#threshold())) return;
    this.#changedChunks = 0;
    // Else a search looks behind the index for every posting, and takes twice as long.
    await vacuum(database, SEARCH_TABLES);
  }

  async #threshold(): Promise<number> {
    const waiting = await this.#runtime.database.kysely
      .selectFrom('document')
      .select('id')
      .where('status', 'in', ['queued', 'indexing', 'deleted'])
      .limit(1)
      .executeTakeFirst();
    return waiting === undefined ? chunksWhenIdle : chunksBetween;
  }
}

/** What a search reads. */
export const SEARCH_TABLES: readonly string[] = [
  'posting',
  'term_count',
  'chunk',
  'chunk_vector',
  'document',
  'scope',
];
