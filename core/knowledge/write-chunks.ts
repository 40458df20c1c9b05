import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '../storage/tables.ts';
import type { PassageTerms } from './index-rows.ts';
import { addPostings } from './postings.ts';

export interface ChunkToWrite {
  readonly ordinal: number;
  readonly headings: readonly string[];
  readonly body: string;
  readonly hash: string;
  /** As pgvector reads it. */
  readonly vector: string;
  readonly terms: PassageTerms;
}

export interface ChunkOwner {
  readonly documentNumber: number;
  readonly scopeId: number;
  readonly revision: number;
  /** The title whose terms the chunks were counted under. */
  readonly title: string;
}

/** Chunks written or removed in one transaction: few enough that answers come in between. */
export const chunksPerTransaction = 16;

/**
 * Writes one batch of chunks with their vectors and postings, in one transaction. They are found only once their
 * revision is the document's. Returns false, with nothing written, when another revision is wanted by now.
 */
export function writeChunks(
  database: Kysely<Tables>,
  owner: ChunkOwner,
  chunks: readonly ChunkToWrite[],
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    if (!(await isStillWanted(transaction, owner))) return false;
    const inGraph = await lockScope(transaction, owner.scopeId);
    const ids = await insertChunks(transaction, owner, chunks);
    await insertVectors(transaction, owner, { ids, chunks, inGraph });
    const passages = chunks.map((chunk, index) => ({ id: ids[index] ?? 0, terms: chunk.terms }));
    await addPostings(transaction, owner.scopeId, passages);
    return true;
  });
}

async function isStillWanted(transaction: Transaction<Tables>, owner: ChunkOwner): Promise<boolean> {
  const row = await transaction
    .selectFrom('document')
    .select('number')
    .where('number', '=', owner.documentNumber)
    .where('wanted_revision', '=', owner.revision)
    .where('status', '=', 'indexing')
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether vectors of the scope belong in the graph index; held until the end, so that this stays true. */
async function lockScope(transaction: Transaction<Tables>, scopeId: number): Promise<boolean> {
  const row = await transaction
    .selectFrom('scope')
    .select('graph')
    .where('id', '=', scopeId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return row.graph !== 'none';
}

async function insertChunks(
  transaction: Transaction<Tables>,
  owner: ChunkOwner,
  chunks: readonly ChunkToWrite[],
): Promise<number[]> {
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
        text_hash: chunk.hash,
      })),
    )
    .returning(['id', 'ordinal'])
    .execute();
  const idOf = new Map(rows.map((row) => [row.ordinal, row.id]));
  return chunks.map((chunk) => idOf.get(chunk.ordinal) ?? 0);
}

interface Numbered {
  readonly ids: readonly number[];
  readonly chunks: readonly ChunkToWrite[];
}

async function insertVectors(
  transaction: Transaction<Tables>,
  owner: ChunkOwner,
  { ids, chunks, inGraph }: Numbered & { readonly inGraph: boolean },
): Promise<void> {
  await sql`
    insert into chunk_vector (chunk_id, scope_id, in_graph, embedding)
    select id, ${owner.scopeId}::int, ${inGraph}::boolean, embedding::vector
    from unnest(${ids}::int[], ${chunks.map((chunk) => chunk.vector)}::text[]) as given (id, embedding)
  `.execute(transaction);
}
