import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Logger } from '../../log.ts';
import { showProgress } from '../../progress.ts';
import type { Database } from '../../storage/database.ts';
import type { Settings } from '../../storage/settings.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import type { Embedder } from '../embedding/embedder.ts';
import { indexedText } from '../passage.ts';
import { ANALYSER_VERSION, addPostings, countTerms, formatVector, passageHash } from './postings.ts';
import { chunksPerTransaction } from './write-chunks.ts';

const VERSION_SETTING = 'index_version';

interface RebuildDependencies {
  readonly database: Database;
  readonly embedder: Embedder;
  readonly log: Logger;
  readonly settings: Settings;
}
type ChunkRow = Selectable<Tables['chunk']>;

/**
 * Rebuilds the index from the stored chunks if another analyser version or another embedding model created it:
 * questions analysed by this version would not match its terms and vectors. After a crash it starts again.
 */
export async function rebuildIndex({
  database,
  embedder,
  log,
  settings,
}: RebuildDependencies): Promise<void> {
  const version = `${ANALYSER_VERSION} ${embedder.model}`;
  const stored = await settings.getOrSet(VERSION_SETTING, version);
  if (stored === version) return;
  log.warn({ from: stored, to: version }, 'search index rebuild started, answers may be incomplete');
  await emptyIndex(database.kysely);
  const sameVectors = stored.slice(stored.indexOf(' ') + 1) === embedder.model;
  const { count } = await database.kysely
    .selectFrom('chunk')
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  const progress = showProgress('Rebuilding the search index', count);
  let done = 0;
  for (let batch = await chunksAfter(database.kysely, 0); batch.length > 0; ) {
    await indexBatch(database.kysely, batch, sameVectors ? null : embedder);
    done += batch.length;
    progress.update(done);
    batch = await chunksAfter(database.kysely, batch.at(-1)?.id ?? 0);
  }
  progress.stop();
  await database.kysely.updateTable('corpus').set({ version: sql`gen_random_uuid()` }).execute();
  await settings.set(VERSION_SETTING, version);
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

async function indexBatch(
  database: Kysely<Tables>,
  chunks: readonly ChunkRow[],
  embedder: Embedder | null,
): Promise<void> {
  const vectors = await embedder?.embedPassages(
    chunks.map((chunk) => indexedText(chunk.title, chunk.headings, chunk.body)),
  );
  await database.transaction().execute(async (transaction) => {
    for (const [scopeId, scopeChunks] of Map.groupBy(chunks, (chunk) => chunk.scope_id)) {
      const passages = scopeChunks.map((chunk) => ({ id: chunk.id, terms: countTerms(chunk) }));
      await addPostings(transaction, scopeId, passages);
    }
    for (const [index, chunk] of chunks.entries()) {
      const vector = vectors?.[index];
      if (embedder !== null && vector !== undefined)
        await replaceVector(transaction, chunk, { embedder, vector });
    }
  });
}

async function replaceVector(
  transaction: Transaction<Tables>,
  chunk: ChunkRow,
  { embedder, vector }: { readonly embedder: Embedder; readonly vector: Float32Array },
): Promise<void> {
  await sql`update chunk_vector set embedding = ${formatVector(vector)}::vector where chunk_id = ${chunk.id}`.execute(
    transaction,
  );
  await transaction
    .updateTable('chunk')
    .set({ text_hash: passageHash(chunk, embedder.model) })
    .where('id', '=', chunk.id)
    .execute();
}
