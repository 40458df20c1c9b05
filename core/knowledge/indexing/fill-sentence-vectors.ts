import { type Kysely, sql } from 'kysely';
import type { Logger } from '../../base/log.ts';
import type { Database } from '../../storage/database.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { type Embedder, spaceOf } from '../embedding/embedder.ts';
import { encodeSentenceVectors, packSentenceVectors, sentenceTexts } from '../sentence-vectors.ts';
import { chunksPerTransaction, putSentenceVectors } from './write-chunks.ts';

interface FillDependencies {
  readonly database: Database;
  readonly embedder: Embedder;
  readonly log: Logger;
  /** Aborted when the process must stop; the next start continues. */
  readonly signal: AbortSignal;
}

interface UnfilledChunk {
  readonly id: number;
  readonly scopeId: number;
  readonly workspaceId: string;
  readonly title: string;
  readonly body: string;
}

/**
 * Embeds the sentences of chunks that were indexed before sentences had vectors, in workspaces with the vectors of the
 * built-in model. Until then, the vectors of whole passages alone order them. Returns false if another process is doing
 * it, which may die before it is done.
 */
export async function fillSentenceVectors(dependencies: FillDependencies): Promise<boolean> {
  const { database, embedder, log, signal } = dependencies;
  if (spaceOf(embedder)?.id !== 0) return true;
  const workspaces = new Set<string>();
  let filled = 0;
  let chunks: readonly UnfilledChunk[] | null = [];
  do {
    chunks = await fillBatch(dependencies, chunks.at(-1)?.id ?? 0);
    if (chunks === null || chunks.length === 0) break;
    if (filled === 0) log.info({ model: embedder.model }, 'embedding sentences of indexed documents');
    for (const { workspaceId } of chunks) workspaces.add(workspaceId);
    filled += chunks.length;
  } while (!signal.aborted);
  if (filled > 0) {
    await renewCorpora(database.kysely, [...workspaces]);
    log.info({ chunks: filled }, 'sentences of indexed documents embedded');
  }
  return chunks !== null;
}

/**
 * Fills the next chunks after `id` and returns them. Returns null if another process is filling some: the lock ends with
 * the transaction, also when that process dies.
 */
async function fillBatch(
  dependencies: FillDependencies,
  id: number,
): Promise<readonly UnfilledChunk[] | null> {
  const { database } = dependencies;
  // No other process can be at it, and a transaction would hold up the single session.
  if (database.engine === 'embedded') return fillNext(dependencies, database.kysely, id);
  return database.kysely.transaction().execute(async (transaction) => {
    const { rows } = await sql<{
      mine: boolean;
    }>`select pg_try_advisory_xact_lock(hashtext('sentence_vector')) as mine`.execute(transaction);
    return rows[0]?.mine === true ? fillNext(dependencies, transaction, id) : null;
  });
}

async function fillNext(
  { embedder, signal }: FillDependencies,
  database: Kysely<Tables>,
  id: number,
): Promise<readonly UnfilledChunk[]> {
  const chunks = await unfilledChunks(database, id);
  if (chunks.length === 0) return chunks;
  const texts = chunks.map((chunk) => sentenceTexts(chunk, embedder));
  const vectors = await embedder.embedPassages(texts.flat(), { signal });
  let at = 0;
  const rows = chunks.map(({ id, scopeId }, index) => {
    const end = at + (texts[index]?.length ?? 0);
    const packed = packSentenceVectors(vectors.slice(at, end));
    at = end;
    return { id, scopeId, sentences: encodeSentenceVectors(packed) };
  });
  await putSentenceVectors(database, rows);
  return chunks;
}

/** Returns the next chunks after `id` of current revisions. */
async function unfilledChunks(database: Kysely<Tables>, id: number): Promise<readonly UnfilledChunk[]> {
  const { rows } = await sql<UnfilledChunk>`
    select chunk.id, chunk.scope_id as "scopeId", document.workspace_id as "workspaceId", chunk.title, chunk.body
    from chunk
    join document on document.number = chunk.document_number and document.revision = chunk.revision
    join chunk_vector on chunk_vector.chunk_id = chunk.id
    where chunk.id > ${id}
      and not exists (select from sentence_vector where sentence_vector.chunk_id = chunk.id)
    order by chunk.id
    limit ${chunksPerTransaction}
  `.execute(database);
  return rows;
}

/** Processes that hold one of the workspaces in memory load it again. */
async function renewCorpora(database: Kysely<Tables>, workspaceIds: readonly string[]): Promise<void> {
  await database
    .updateTable('corpus')
    .set({ version: sql`gen_random_uuid()` })
    .where('workspace_id', 'in', [...workspaceIds])
    .execute();
}
