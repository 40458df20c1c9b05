import { type Kysely, type Selectable, sql } from 'kysely';
import type { Logger } from '../../log.ts';
import { showProgress } from '../../progress.ts';
import type { Database } from '../../storage/database.ts';
import type { Settings } from '../../storage/settings.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { ANALYSER_VERSION, addPostings, countTerms } from './postings.ts';
import { chunksPerTransaction } from './write-chunks.ts';

const VERSION_SETTING = 'index_version';

interface RebuildDependencies {
  readonly database: Database;
  readonly log: Logger;
  readonly settings: Settings;
}
type ChunkRow = Selectable<Tables['chunk']>;

/**
 * Rebuilds the postings from the stored chunks if another analyser version created them: questions analysed by this
 * version would not match its terms. After a crash it starts again. Vectors are left alone: `changeModels` replaces them.
 */
export async function rebuildIndex({ database, log, settings }: RebuildDependencies): Promise<void> {
  const version = String(ANALYSER_VERSION);
  const stored = await settings.getOrSet(VERSION_SETTING, version);
  if (stored === version) return;
  log.warn({ from: stored, to: version }, 'search index rebuild started, answers may be incomplete');
  await rebuildPostings(database);
  await settings.set(VERSION_SETTING, version);
}

async function rebuildPostings(database: Database): Promise<void> {
  await emptyIndex(database.kysely);
  const { count } = await database.kysely
    .selectFrom('chunk')
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  const progress = showProgress('Rebuilding the search index', count);
  let done = 0;
  for (let batch = await chunksAfter(database.kysely, 0); batch.length > 0; ) {
    await indexBatch(database.kysely, batch);
    done += batch.length;
    progress.update(done);
    batch = await chunksAfter(database.kysely, batch.at(-1)?.id ?? 0);
  }
  progress.stop();
  await database.kysely.updateTable('corpus').set({ version: sql`gen_random_uuid()` }).execute();
}

async function emptyIndex(database: Kysely<Tables>): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await sql`truncate posting, term_count`.execute(transaction);
    await sql`update scope set chunk_count = 0, term_count = 0`.execute(transaction);
  });
}

function chunksAfter(database: Kysely<Tables>, id: number): Promise<ChunkRow[]> {
  return database
    .selectFrom('chunk')
    .selectAll()
    .where('id', '>', id)
    .orderBy('id')
    .limit(chunksPerTransaction)
    .execute();
}

async function indexBatch(database: Kysely<Tables>, chunks: readonly ChunkRow[]): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    for (const [scopeId, scopeChunks] of Map.groupBy(chunks, (chunk) => chunk.scope_id)) {
      const passages = scopeChunks.map((chunk) => ({ id: chunk.id, terms: countTerms(chunk) }));
      await addPostings(transaction, scopeId, passages);
    }
  });
}
