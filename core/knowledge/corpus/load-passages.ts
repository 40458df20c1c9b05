import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../storage/tables.ts';
import { vectorFrom } from '../vector-bytes.ts';
import type { CorpusPassage } from './corpus.ts';

interface Passages {
  readonly passages: readonly CorpusPassage[];
  /** By place. */
  readonly chunkIds: readonly number[];
  readonly vectors: Float32Array;
}

interface Wanted {
  readonly workspaceId: string;
  readonly scopeId: number;
}

/** Read at once: others get their turn after each page. */
const pageSize = 50;

/** The chunks of a scope that answers come from, by id. */
export async function loadPassages(database: Kysely<Tables>, wanted: Wanted): Promise<Passages> {
  const passages: CorpusPassage[] = [];
  const chunkIds: number[] = [];
  const vectors: Float32Array[] = [];
  const known = await database
    .selectFrom('chunk_vector')
    .select('chunk_id')
    .where('scope_id', '=', wanted.scopeId)
    .orderBy('chunk_id')
    .execute();
  for (let start = 0; start < known.length; start += pageSize) {
    const ids = known.slice(start, start + pageSize).map((row) => row.chunk_id);
    for (const { id, embedding, ...passage } of await loadPage(database, wanted, ids)) {
      passages.push({ ...passage, chunkId: String(id) });
      chunkIds.push(id);
      vectors.push(vectorFrom(embedding));
    }
  }
  return { passages, chunkIds, vectors: joined(vectors) };
}

function loadPage(database: Kysely<Tables>, { workspaceId }: Wanted, ids: readonly number[]) {
  return database
    .selectFrom('chunk')
    .innerJoin('chunk_vector', 'chunk_vector.chunk_id', 'chunk.id')
    .innerJoin('document', (join) =>
      join
        .onRef('document.number', '=', 'chunk.document_number')
        .onRef('document.revision', '=', 'chunk.revision'),
    )
    .select(['chunk.id', 'chunk.ordinal', 'chunk.headings', 'chunk.body', 'document.title', 'document.url'])
    .select('document.id as documentId')
    .select(sql<Uint8Array>`vector_send(chunk_vector.embedding)`.as('embedding'))
    .where('document.workspace_id', '=', workspaceId)
    .where('chunk.id', 'in', [...ids])
    .orderBy('chunk.id')
    .execute();
}

function joined(vectors: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(vectors.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const vector of vectors) {
    whole.set(vector, at);
    at += vector.length;
  }
  return whole;
}
