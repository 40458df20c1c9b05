import type { Kysely } from 'kysely';
import { prepareStatement } from '../storage/prepared-statements.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { FoundCandidates, FoundPassage } from './passage.ts';
import { encodeVector, VECTOR_DIMENSIONS } from './vectors.ts';

interface CandidateQuery {
  readonly workspaceId: string;
  /** The asker's tags. */
  readonly audience: readonly string[];
  /** Null: all documents of the workspace. */
  readonly documentIds: readonly string[] | null;
  /** Distinct term hashes of the question. */
  readonly terms: readonly number[];
  /** The question's vector, of unit length; null where there is none and words alone have to find it. */
  readonly vector: Float32Array | null;
}

/** As `find_candidates` tells it. */
interface Candidates {
  /** Chunks in the scopes that were searched. */
  readonly chunks: number;
  /** In how many of those chunks each term occurs; null where none does. */
  readonly frequencies: readonly (readonly [term: number, chunks: number])[] | null;
  /** Null where there are none. */
  readonly found: readonly CandidateRow[] | null;
}

interface CandidateRow {
  readonly chunk_id: number;
  readonly document_id: string;
  readonly ordinal: number;
  readonly title: string;
  readonly url: string | null;
  readonly headings: readonly string[];
  readonly body: string;
  /** Over all terms of the question. */
  readonly bm25: number;
  readonly cosine: number;
}

/**
 * The rarest terms of a question bring candidates until about this many postings are read. Frequent terms hardly
 * change who is found, and are counted exactly for whoever is.
 */
const postingBudget = 4_000;

/** It is as far from every passage as from any other. */
const ZERO_VECTOR = encodeVector(new Float32Array(VECTOR_DIMENSIONS));

/** One JSON value: the driver takes half as long to read it as rows of eleven columns. */
const findCandidatesQuery = prepareStatement<{ candidates: Candidates | null }>(
  'select find_candidates($1, $2, $3, $4, $5, $6) as candidates',
);

/**
 * One round trip to the database: words and vectors together, filtered by workspace, audience and documents.
 */
export async function findCandidates(
  database: Kysely<Tables>,
  { workspaceId, audience, documentIds, terms, vector }: CandidateQuery,
): Promise<FoundCandidates> {
  const bytes = vector === null ? ZERO_VECTOR : encodeVector(vector);
  const [row] = await findCandidatesQuery(database, [
    workspaceId,
    audience,
    documentIds,
    terms,
    bytes,
    postingBudget,
  ]);
  const candidates = row?.candidates;
  return {
    statistics: { chunks: candidates?.chunks ?? 0, documentFrequency: new Map(candidates?.frequencies) },
    passages: candidates?.found?.map((found) => toFoundPassage(found, vector !== null)) ?? [],
  };
}

function toFoundPassage(row: CandidateRow, isCompared: boolean): FoundPassage {
  return {
    chunkId: String(row.chunk_id),
    documentId: row.document_id,
    ordinal: row.ordinal,
    title: row.title,
    url: row.url,
    headings: row.headings,
    body: row.body,
    bm25: row.bm25,
    cosine: isCompared ? row.cosine : null,
  };
}
