import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { AppError } from '../../base/errors.ts';
import type { Place } from '../../contract/answer.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { addPostings, countTerms, type PassageTerms, removePostings } from './postings.ts';

export interface ChunkToWrite {
  readonly ordinal: number;
  readonly headings: readonly string[];
  readonly body: string;
  readonly place: Place | null;
  readonly hash: string;
  /** The vector in pgvector's text format; unused without a model. */
  readonly vector: string;
  /** The vectors of its sentences (`encodeSentenceVectors`); written with the built-in model only. */
  readonly sentences: string;
  readonly terms: PassageTerms;
}

export interface ChunkOwner {
  readonly documentNumber: number;
  readonly scopeId: number;
  readonly revision: number;
  /** The title that is indexed with the chunks. */
  readonly title: string;
}

/** Chunks written or removed per transaction: few enough that answers do not wait for long. */
export const chunksPerTransaction = 16;

interface ChunkBatch {
  readonly chunks: readonly ChunkToWrite[];
  /** The embedding model of the vectors; 0 is the built-in one. Null writes none. */
  readonly modelId: number | null;
}

/** Locks the right to change the passages of a document until the end of the transaction. Throws if it was lost. */
type RequireLease = (transaction: Transaction<Tables>) => Promise<void>;

/**
 * Writes one batch of chunks with vectors and postings in one transaction. Searches find them once their revision is
 * published. Chunks that are there already are left alone. It removes the read passages that they were made of.
 */
export function writeChunks(
  database: Kysely<Tables>,
  owner: ChunkOwner,
  { chunks: batch, modelId }: ChunkBatch,
  requireLease: RequireLease,
): Promise<void> {
  return database.transaction().execute(async (transaction) => {
    await requireLease(transaction);
    const inGraph = await lockScope(transaction, owner.scopeId, modelId);
    const idByOrdinal = await insertChunks(transaction, owner, batch);
    const chunks = batch.filter(({ ordinal }) => idByOrdinal.has(ordinal));
    const ids = chunks.map(({ ordinal }) => idByOrdinal.get(ordinal) ?? 0);
    if (modelId !== null) {
      const vectors = chunks.map(({ vector }, index) => ({ chunkId: ids[index] ?? 0, vector }));
      await insertVectors(transaction, { scopeId: owner.scopeId, modelId, inGraph }, vectors);
    }
    if (modelId === 0) {
      await putSentenceVectors(
        transaction,
        chunks.map(({ sentences }, index) => ({ sentences, id: ids[index] ?? 0, scopeId: owner.scopeId })),
      );
    }
    const passages = chunks.map((chunk, index) => ({ id: ids[index] ?? 0, terms: chunk.terms }));
    await addPostings(transaction, owner.scopeId, passages);
    await transaction
      .deleteFrom('indexing_passage')
      .where('document_number', '=', owner.documentNumber)
      .where(
        'ordinal',
        'in',
        batch.map(({ ordinal }) => ordinal),
      )
      .execute();
  });
}

/**
 * Returns whether vectors of the scope belong in the graph index. The row lock keeps this true until the commit. Throws if
 * the workspace has changed to another embedding model: indexing then goes on with that one.
 */
async function lockScope(
  transaction: Transaction<Tables>,
  scopeId: number,
  modelId: number | null,
): Promise<boolean> {
  const { graph, servingId } = await transaction
    .selectFrom('scope')
    .select('graph')
    .select((query) =>
      query
        .selectFrom('corpus')
        .select('model_id')
        .whereRef('corpus.workspace_id', '=', 'scope.workspace_id')
        .as('servingId'),
    )
    .where('id', '=', scopeId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (modelId !== null && servingId !== null && modelId !== servingId) {
    throw new AppError('internal_error', { detail: 'The embedding model of the workspace has changed.' });
  }
  return graph !== 'none';
}

/** Returns the ids of the inserted chunks by ordinal. */
async function insertChunks(
  transaction: Transaction<Tables>,
  owner: ChunkOwner,
  chunks: readonly ChunkToWrite[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await transaction
    .insertInto('chunk')
    .values(
      chunks.map((chunk) => ({
        document_number: owner.documentNumber,
        scope_id: owner.scopeId,
        revision: owner.revision,
        title: owner.title,
        ordinal: chunk.ordinal,
        headings: [...chunk.headings],
        body: chunk.body,
        place: chunk.place === null ? null : JSON.stringify(chunk.place),
        text_hash: chunk.hash,
      })),
    )
    .onConflict((conflict) => conflict.columns(['document_number', 'revision', 'ordinal']).doNothing())
    .returning(['id', 'ordinal'])
    .execute();
  return new Map(rows.map((row) => [row.ordinal, row.id]));
}

interface VectorPlace {
  readonly scopeId: number;
  readonly modelId: number;
  readonly inGraph: boolean;
}

interface ChunkVector {
  readonly chunkId: number;
  /** The vector in pgvector's text format. */
  readonly vector: string;
}

/** Inserts vectors of chunks. Those that the chunks already have of this model stay. */
export async function insertVectors(
  transaction: Transaction<Tables>,
  { scopeId, modelId, inGraph }: VectorPlace,
  vectors: readonly ChunkVector[],
): Promise<void> {
  const given = sql`
    select id, ${scopeId}::int, ${inGraph}::boolean, embedding::vector
    from unnest(${vectors.map(({ chunkId }) => chunkId)}::int[], ${vectors.map(({ vector }) => vector)}::text[])
         as given (id, embedding)
  `;
  await (modelId === 0
    ? sql`insert into chunk_vector (chunk_id, scope_id, in_graph, embedding) ${given} on conflict do nothing`
    : sql`insert into model_vector (chunk_id, scope_id, in_graph, embedding, model_id)
          select told.*, ${modelId}::int from (${given}) told on conflict do nothing`
  ).execute(transaction);
}

interface ChunkSentences {
  /** The id of the chunk. */
  readonly id: number;
  /** From `encodeSentenceVectors`. */
  readonly sentences: string;
  readonly scopeId: number;
}

/** Writes or replaces the vectors of chunks' sentences; leaves out chunks that were removed meanwhile. */
export async function putSentenceVectors(
  database: Kysely<Tables>,
  rows: readonly ChunkSentences[],
): Promise<void> {
  await sql`
    insert into sentence_vector (chunk_id, scope_id, vectors)
    select given.id, given.scope_id, decode(given.vectors, 'base64')
    from unnest(
      ${rows.map(({ id }) => id)}::int[], ${rows.map(({ scopeId }) => scopeId)}::int[],
      ${rows.map(({ sentences }) => sentences)}::text[]
    ) as given (id, scope_id, vectors)
    join chunk on chunk.id = given.id
    on conflict (chunk_id) do update set vectors = excluded.vectors
  `.execute(database);
}

interface ChunksToRemove {
  readonly documentNumber: number;
  readonly keptRevision: number;
}

/**
 * Removes some chunks of a document, except those of `keptRevision`, in a small transaction. Returns their number, 0 if
 * none is left. Searches do not find the removed chunks.
 */
export function removeSomeChunks(
  database: Kysely<Tables>,
  { documentNumber, keptRevision }: ChunksToRemove,
  requireLease: RequireLease,
): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    await requireLease(transaction);
    const superfluous = transaction
      .selectFrom('chunk')
      .where('document_number', '=', documentNumber)
      .where('revision', '<>', keptRevision)
      .orderBy('id')
      .limit(chunksPerTransaction);
    // Scopes first, as those who write chunks do: workers that wait for each other's rows would deadlock.
    await transaction
      .selectFrom('scope')
      .select('id')
      .where('id', 'in', superfluous.select('scope_id'))
      .orderBy('id')
      .forUpdate()
      .execute();
    const chunks = await superfluous.selectAll().forUpdate().execute();
    if (chunks.length > 0) await removeBatch(transaction, chunks);
    return chunks.length;
  });
}

async function removeBatch(
  transaction: Transaction<Tables>,
  chunks: readonly Selectable<Tables['chunk']>[],
): Promise<void> {
  for (const [scopeId, scopeChunks] of Map.groupBy(chunks, (chunk) => chunk.scope_id)) {
    const passages = scopeChunks.map((chunk) => ({ id: chunk.id, terms: countTerms(chunk) }));
    await removePostings(transaction, scopeId, passages);
  }
  const ids = chunks.map((chunk) => chunk.id);
  await transaction.deleteFrom('chunk').where('id', 'in', ids).execute();
}

/** Up to this size, comparing every vector of a scope is about as fast as searching the graph, and exact. */
const MAX_EXACT_CHUNKS = 5_000;

/**
 * Adds the vectors of a scope to the graph index once the scope exceeds the size for exact comparison. Uses small
 * transactions, so that answers do not wait for long; safe to interrupt and repeat. Returns false if `isOver` ended it.
 */
export async function buildVectorGraph(
  database: Kysely<Tables>,
  scopeId: number,
  maxExactChunks: number = MAX_EXACT_CHUNKS,
  isOver: () => boolean = () => false,
): Promise<boolean> {
  const { graph } = await database
    .selectFrom('scope')
    .select(sql<string>`case when chunk_count > ${maxExactChunks} then graph else 'small' end`.as('graph'))
    .where('id', '=', scopeId)
    .executeTakeFirstOrThrow();
  if (graph !== 'none' && graph !== 'building') return true;
  await database.updateTable('scope').set({ graph: 'building' }).where('id', '=', scopeId).execute();
  while ((await addGraphBatch(database, scopeId)) > 0) if (isOver()) return false;
  return true;
}

/** The batch that finds nothing left to add marks the graph as built, in the same transaction: searches then use it. */
async function addGraphBatch(database: Kysely<Tables>, scopeId: number): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    await transaction.selectFrom('scope').select('id').where('id', '=', scopeId).forUpdate().execute();
    const result = await sql`
      update chunk_vector set in_graph = true
      where chunk_id in (
        select chunk_id from chunk_vector where scope_id = ${scopeId} and not in_graph limit ${chunksPerTransaction}
      )
    `.execute(transaction);
    const ofModels = await sql`
      update model_vector set in_graph = true
      where (chunk_id, model_id) in (
        select chunk_id, model_id from model_vector
        where scope_id = ${scopeId} and not in_graph limit ${chunksPerTransaction}
      )
    `.execute(transaction);
    const added = Number(result.numAffectedRows ?? 0n) + Number(ofModels.numAffectedRows ?? 0n);
    if (added === 0) {
      await transaction.updateTable('scope').set({ graph: 'built' }).where('id', '=', scopeId).execute();
    }
    return added;
  });
}
