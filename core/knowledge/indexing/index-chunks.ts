import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../storage/tables/tables.ts';
import type { Chunk } from '../chunk-document.ts';
import { type Embedder, spaceOf } from '../embedding/embedder.ts';
import { indexedText } from '../passage.ts';
import { encodeSentenceVectors, packSentenceVectors, sentenceTexts } from '../sentence-vectors.ts';
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
 * that the document already contained keep their vectors, and those of their sentences. Returns false if a newer revision is wanted.
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
  const modelId = embedder === null ? null : (spaceOf(embedder)?.id ?? 0);
  const known = await knownVectors(database, owner.documentNumber, { hashes, modelId });
  const wanted = sources.map((source, index) => {
    const earlier = known.get(hashes[index] ?? '');
    return {
      passage: earlier === undefined ? [indexedText(source.title, source.headings, source.body)] : [],
      sentences: embedder !== null && earlier?.sentences == null ? sentenceTexts(source, embedder) : [],
    };
  });
  const texts = wanted.flatMap(({ passage, sentences }) => [...passage, ...sentences]);
  const vectors = texts.length === 0 ? [] : ((await embedder?.embedPassages(texts, { signal })) ?? []);
  let at = 0;
  return sources.map((source, index) => {
    const earlier = known.get(hashes[index] ?? '');
    const { passage, sentences } = wanted[index] ?? { passage: [], sentences: [] };
    const [vector] = vectors.slice(at, at + passage.length);
    at += passage.length;
    const packed = packSentenceVectors(vectors.slice(at, at + sentences.length));
    at += sentences.length;
    return {
      ordinal: source.ordinal,
      headings: source.headings,
      body: source.body,
      hash: hashes[index] ?? '',
      vector: vector === undefined ? (earlier?.passage ?? '') : formatVector(vector),
      sentences: earlier?.sentences ?? encodeSentenceVectors(packed),
      terms: countTerms(source),
    };
  });
}

interface KnownVectors {
  readonly passage: string;
  /** Null if they were not made yet. */
  readonly sentences: string | null;
}

interface KnownPassages {
  readonly hashes: readonly string[];
  readonly modelId: number | null;
}

/** Finds the vectors of passages that the document contains already, by hash. */
async function knownVectors(
  database: Kysely<Tables>,
  documentNumber: number,
  { hashes, modelId }: KnownPassages,
): Promise<ReadonlyMap<string, KnownVectors>> {
  if (modelId === null) return new Map();
  const rows = await selectVectors(database, modelId)
    .innerJoin('chunk', 'chunk.id', 'vector.chunk_id')
    .leftJoin('sentence_vector', 'sentence_vector.chunk_id', 'chunk.id')
    .distinctOn('chunk.text_hash')
    .select('chunk.text_hash')
    .select(sql<string>`vector.embedding::text`.as('passage'))
    .select(sql<string | null>`encode(sentence_vector.vectors, 'base64')`.as('sentences'))
    .where('chunk.document_number', '=', documentNumber)
    .where('chunk.text_hash', 'in', hashes)
    .orderBy('chunk.text_hash')
    .orderBy(sql`sentence_vector.chunk_id nulls last`)
    .execute();
  return new Map(rows.map((row) => [row.text_hash, row]));
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
