import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { placeSchema } from '../../contract/answer.ts';
import type { Tables } from '../../storage/tables/tables.ts';
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
  /** Aborted when the process must stop, or the document was lost. */
  readonly signal: AbortSignal;
  /** Locks the document's lease in each transaction. Throws if it was lost. */
  readonly requireLease: (transaction: Transaction<Tables>) => Promise<void>;
}

interface IndexOptions {
  readonly workspaceId: string;
  /** The number of passages of the revision. */
  readonly total: number;
  /** Returns whether others have their turn; called after each batch with the number of passages written so far. */
  readonly isOver: (written: number) => boolean;
}

interface Indexed {
  readonly written: number;
  /** False if passages are left for another slice. */
  readonly isDone: boolean;
}

/**
 * Embeds and writes passages of a document that were read and are not in the index yet, batch by batch in their order;
 * the next batch is embedded while one is written. A text that the workspace already contains keeps its vectors.
 */
export async function indexPassages(
  dependencies: IndexDependencies,
  owner: ChunkOwner,
  { workspaceId, total, isOver }: IndexOptions,
): Promise<Indexed> {
  const { database, embedder, requireLease } = dependencies;
  const modelId = modelIdOf(embedder);
  const load = async (earlier: readonly ChunkToWrite[]) =>
    prepare(
      dependencies,
      { workspaceId, title: owner.title, earlier },
      await nextPassages(database, owner, earlier),
    );
  let written = 0;
  for (let prepared: Promise<ChunkToWrite[]> | null = load([]); prepared !== null; ) {
    const chunks: readonly ChunkToWrite[] = await prepared;
    if (chunks.length === 0) return { written, isDone: true };
    // The decision comes before the next batch is embedded, which is then written as well.
    prepared = isOver(written + chunks.length) ? null : load(chunks);
    prepared?.catch(() => {
      // The next iteration awaits and throws it; until then it would count as an unhandled rejection.
    });
    await writeChunks(database, owner, { chunks, modelId }, requireLease);
    written += chunks.length;
    await recordProgress(database, owner, ((chunks.at(-1)?.ordinal ?? 0) + 1) / total);
  }
  return { written, isDone: false };
}

const modelIdOf = (embedder: Embedder | null) => (embedder === null ? null : (spaceOf(embedder)?.id ?? 0));

type Passage = Pick<Selectable<Tables['indexing_passage']>, 'ordinal' | 'headings' | 'body' | 'place'>;

/** Returns the passages after those that are being written. */
function nextPassages(
  database: Kysely<Tables>,
  { documentNumber }: ChunkOwner,
  earlier: readonly ChunkToWrite[],
): Promise<Passage[]> {
  return database
    .selectFrom('indexing_passage')
    .select(['ordinal', 'headings', 'body', 'place'])
    .where('document_number', '=', documentNumber)
    .where('ordinal', '>', earlier.at(-1)?.ordinal ?? -1)
    .orderBy('ordinal')
    .limit(chunksPerTransaction)
    .execute();
}

interface PassageContext {
  readonly workspaceId: string;
  readonly title: string;
  /** The batch before, which may not be written yet. */
  readonly earlier: readonly ChunkToWrite[];
}

async function prepare(
  { database, embedder, signal }: IndexDependencies,
  { workspaceId, title, earlier }: PassageContext,
  passages: readonly Passage[],
): Promise<ChunkToWrite[]> {
  if (passages.length === 0) return [];
  const sources = passages.map((passage) => ({ ...passage, title }));
  const byHash = new Map(sources.map((source) => [passageHash(source), source]));
  const known = new Map<string, KnownVectors>([
    ...(await knownVectors(database, workspaceId, {
      hashes: [...byHash.keys()],
      modelId: modelIdOf(embedder),
    })),
    ...earlier.map(({ hash, vector, sentences }) => [hash, { passage: vector, sentences }] as const),
  ]);
  const wanted = [...byHash].map(([hash, source]) => ({
    hash,
    passage: known.has(hash) ? [] : [indexedText(source.title, source.headings, source.body)],
    sentences: embedder === null || known.get(hash)?.sentences != null ? [] : sentenceTexts(source, embedder),
  }));
  const texts = wanted.flatMap(({ passage, sentences }) => [...passage, ...sentences]);
  const vectors = texts.length === 0 ? [] : ((await embedder?.embedPassages(texts, { signal })) ?? []);
  let at = 0;
  for (const { hash, passage, sentences } of wanted) {
    const before = known.get(hash);
    const [vector] = vectors.slice(at, at + passage.length);
    at += passage.length;
    const packed = packSentenceVectors(vectors.slice(at, at + sentences.length));
    at += sentences.length;
    known.set(hash, {
      passage: vector === undefined ? (before?.passage ?? '') : formatVector(vector),
      sentences: before?.sentences ?? encodeSentenceVectors(packed),
    });
  }
  return sources.map((source) => {
    const hash = passageHash(source);
    const { passage = '', sentences = null } = known.get(hash) ?? {};
    const { ordinal, headings, body } = source;
    const place = placeSchema.nullable().parse(source.place);
    return {
      ...{ ordinal, headings, body, hash, place },
      ...{ vector: passage, sentences: sentences ?? '', terms: countTerms(source) },
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

/** Finds the vectors of texts that the workspace contains already, by hash. */
async function knownVectors(
  database: Kysely<Tables>,
  workspaceId: string,
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
    .where('chunk.scope_id', 'in', (query) =>
      query.selectFrom('scope').select('scope.id').where('scope.workspace_id', '=', workspaceId),
    )
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
