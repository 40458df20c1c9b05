import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../storage/tables/tables.ts';
import type { Chunk } from '../chunk-document.ts';
import { type Embedder, spaceOf } from '../embedding/embedder.ts';
import { indexedText } from '../passage.ts';
import { selectVectors } from '../vectors.ts';
import { countTerms, formatVector, passageHash } from './postings.ts';
import { type ChunkOwner, type ChunkToWrite, chunksPerTransaction, writeChunks } from './write-chunks.ts';

interface IndexDependencies {
  readonly database: Kysely<Tables>;
  /** Null writes no vectors: the model of the workspace's vectors is not configured any more. */
  readonly embedder: Embedder | null;
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
  const modelId = dependencies.embedder === null ? null : (spaceOf(dependencies.embedder)?.id ?? 0);
  let prepared = prepare(dependencies, owner, chunks.slice(0, chunksPerTransaction));
  for (let start = 0; start < chunks.length; start += chunksPerTransaction) {
    const batch = await prepared;
    const end = start + chunksPerTransaction;
    prepared = prepare(dependencies, owner, chunks.slice(end, end + chunksPerTransaction));
    prepared.catch(() => {
      // The next iteration awaits and throws it; until then it would count as an unhandled rejection.
    });
    if (!(await writeChunks(dependencies.database, owner, { chunks: batch, modelId }))) return false;
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
  const hashes = sources.map(passageHash);
  const vectors =
    embedder === null
      ? new Map<string, string>()
      : await knownVectors(database, owner.documentNumber, { hashes, modelId: spaceOf(embedder)?.id ?? 0 });
  const unknown = sources.filter((_, index) => !vectors.has(hashes[index] ?? ''));
  const embedded = await embedder?.embedPassages(
    unknown.map((source) => indexedText(source.title, source.headings, source.body)),
    { signal },
  );
  unknown.forEach((source, index) => {
    const vector = embedded?.[index];
    if (vector !== undefined) vectors.set(passageHash(source), formatVector(vector));
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

interface KnownPassages {
  readonly hashes: readonly string[];
  readonly modelId: number;
}

async function knownVectors(
  database: Kysely<Tables>,
  documentNumber: number,
  { hashes, modelId }: KnownPassages,
): Promise<Map<string, string>> {
  const rows = await selectVectors(database, modelId)
    .innerJoin('chunk', 'chunk.id', 'vector.chunk_id')
    .distinctOn('chunk.text_hash')
    .select('chunk.text_hash')
    .select(sql<string>`vector.embedding::text`.as('embedding'))
    .where('chunk.document_number', '=', documentNumber)
    .where('chunk.text_hash', 'in', hashes)
    .execute();
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
