import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../storage/tables/tables.ts';
import type { Chunk } from '../chunk-document.ts';
import type { Embedder } from '../embedding/embedder.ts';
import { indexedText } from '../passage.ts';
import { countTerms, formatVector, passageHash } from './postings.ts';
import { type ChunkOwner, type ChunkToWrite, chunksPerTransaction, writeChunks } from './write-chunks.ts';

interface IndexDependencies {
  readonly database: Kysely<Tables>;
  readonly embedder: Embedder;
  /** Aborted when the process must stop. */
  readonly signal?: AbortSignal;
}

/**
 * Embeds and writes the chunks of one revision in batches; the next batch is embedded while one is written. Passages
 * that the document already contained keep their vectors. Returns false if a newer revision is wanted.
 */
export async function indexChunks(
  dependencies: IndexDependencies,
  owner: ChunkOwner,
  chunks: readonly Chunk[],
): Promise<boolean> {
  let prepared = prepare(dependencies, owner, chunks.slice(0, chunksPerTransaction));
  for (let start = 0; start < chunks.length; start += chunksPerTransaction) {
    const batch = await prepared;
    const end = start + chunksPerTransaction;
    prepared = prepare(dependencies, owner, chunks.slice(end, end + chunksPerTransaction));
    prepared.catch(() => {
      // The next iteration awaits and throws it; until then it would count as an unhandled rejection.
    });
    if (!(await writeChunks(dependencies.database, owner, batch))) return false;
    await recordProgress(dependencies.database, owner, Math.min(end, chunks.length) / chunks.length);
  }
  return true;
}

async function prepare(
  { database, embedder, signal }: IndexDependencies,
  owner: ChunkOwner,
  chunks: readonly Chunk[],
): Promise<ChunkToWrite[]> {
  if (chunks.length === 0) return [];
  const sources = chunks.map((chunk) => ({ ...chunk, title: owner.title }));
  const hashes = sources.map((source) => passageHash(source, embedder.model));
  const vectors = await knownVectors(database, owner.documentNumber, hashes);
  const unknown = sources.filter((_, index) => !vectors.has(hashes[index] ?? ''));
  const embedded = await embedder.embedPassages(
    unknown.map((source) => indexedText(source.title, source.headings, source.body)),
    { signal },
  );
  unknown.forEach((source, index) => {
    const vector = embedded[index];
    if (vector !== undefined) vectors.set(passageHash(source, embedder.model), formatVector(vector));
  });
  return sources.map((source, index) => ({
    ordinal: source.ordinal,
    headings: source.headings,
    body: source.body,
    hash: hashes[index] ?? '',
    vector: vectors.get(hashes[index] ?? '') ?? '',
    terms: countTerms(source),
  }));
}

async function knownVectors(
  database: Kysely<Tables>,
  documentNumber: number,
  hashes: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ text_hash: string; embedding: string }>`
    select distinct on (chunk.text_hash) chunk.text_hash, chunk_vector.embedding::text as embedding
    from chunk join chunk_vector on chunk_vector.chunk_id = chunk.id
    where chunk.document_number = ${documentNumber} and chunk.text_hash = any(${[...hashes]}::text[])
  `.execute(database);
  return new Map(rows.map((row) => [row.text_hash, row.embedding]));
}

async function recordProgress(database: Kysely<Tables>, owner: ChunkOwner, share: number): Promise<void> {
  await database
    .updateTable('document')
    .set({ progress: Math.min(99, Math.floor(share * 100)) })
    .where('number', '=', owner.documentNumber)
    .where('wanted_revision', '=', owner.revision)
    .where('status', '=', 'indexing')
    .execute();
}
