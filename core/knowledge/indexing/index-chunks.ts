import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../storage/tables/tables.ts';
import type { Chunk } from '../chunk-document.ts';
import type { Embedder } from '../embedding/embedder.ts';
import { indexedText } from '../passage.ts';
import { encodeSentenceVectors, packSentenceVectors, sentenceTexts } from '../sentence-vectors.ts';
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
 * that the document already contained keep their vectors, and those of their sentences. Returns false if a newer revision is wanted.
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
  const known = await knownVectors(database, owner.documentNumber, { hashes, model: embedder.model });
  const wanted = sources.map((source, index) => {
    const earlier = known.get(hashes[index] ?? '');
    return {
      passage: earlier === undefined ? [indexedText(source.title, source.headings, source.body)] : [],
      sentences: (earlier?.sentences ?? null) === null ? sentenceTexts(source, embedder) : [],
    };
  });
  const texts = wanted.flatMap(({ passage, sentences }) => [...passage, ...sentences]);
  const vectors = texts.length === 0 ? [] : await embedder.embedPassages(texts, { signal });
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
      sentences: { model: embedder.model, vectors: earlier?.sentences ?? encodeSentenceVectors(packed) },
      terms: countTerms(source),
    };
  });
}

interface KnownVectors {
  readonly passage: string;
  /** Null if they were not made yet. */
  readonly sentences: string | null;
}

/** Finds the vectors of passages that the document contains already, by hash. */
async function knownVectors(
  database: Kysely<Tables>,
  documentNumber: number,
  { hashes, model }: { readonly hashes: readonly string[]; readonly model: string },
): Promise<ReadonlyMap<string, KnownVectors>> {
  const { rows } = await sql<KnownVectors & { readonly text_hash: string }>`
    select distinct on (chunk.text_hash) chunk.text_hash, chunk_vector.embedding::text as passage,
           encode(sentence_vector.vectors, 'base64') as sentences
    from chunk
    join chunk_vector on chunk_vector.chunk_id = chunk.id
    left join sentence_vector on sentence_vector.chunk_id = chunk.id and sentence_vector.model = ${model}
    where chunk.document_number = ${documentNumber} and chunk.text_hash = any(${[...hashes]}::text[])
    order by chunk.text_hash, sentence_vector.chunk_id nulls last
  `.execute(database);
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
