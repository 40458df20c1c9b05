import type { Kysely } from 'kysely';
import { prepared } from '../storage/prepared-statements.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { Found, FoundPassage } from './passage.ts';
import { DIMENSIONS, vectorBytes } from './vectors.ts';

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
const nothing = vectorBytes(new Float32Array(DIMENSIONS));

/** One JSON value: the driver takes half as long to read it as rows of eleven columns. */
const find = prepared<{ candidates: Candidates | null }>(
  'select find_candidates($1, $2, $3, $4, $5, $6) as candidates',
);

/**
 * One round trip to the database: words and vectors together, filtered by workspace, audience and documents.
 */
export async function findCandidates(
  database: Kysely<Tables>,
  { workspaceId, audience, documentIds, terms, vector }: CandidateQuery,
): Promise<Found> {
  const bytes = vector === null ? nothing : vectorBytes(vector);
  const [row] = await find(database, [workspaceId, audience, documentIds, terms, bytes, postingBudget]);
  const candidates = row?.candidates;
  return {
    statistics: { chunks: candidates?.chunks ?? 0, documentFrequency: new Map(candidates?.frequencies) },
    passages: candidates?.found?.map((found) => passageOf(found, vector !== null)) ?? [],
  };
}

function passageOf(row: CandidateRow, isCompared: boolean): FoundPassage {
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
