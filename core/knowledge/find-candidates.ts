import type { Kysely } from 'kysely';
import { prepared } from '../storage/prepared.ts';
import type { Tables } from '../storage/tables.ts';

export interface CandidateQuery {
  readonly workspaceId: string;
  /** The asker's tags. */
  readonly audience: readonly string[];
  /** Null: all documents of the workspace. */
  readonly documentIds: readonly string[] | null;
  /** Distinct term hashes of the question. */
  readonly terms: readonly number[];
  /** The question's vector, by `vectorBytes`. */
  readonly vector: Buffer;
}

/** As `find_candidates` tells it. */
export interface Candidates {
  /** Chunks in the scopes that were searched. */
  readonly chunks: number;
  /** In how many of those chunks each term occurs; null where none does. */
  readonly frequencies: readonly (readonly [term: number, chunks: number])[] | null;
  /** Null where there are none. */
  readonly found: readonly CandidateRow[] | null;
}

export interface CandidateRow {
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

/** One JSON value: the driver takes half as long to read it as rows of eleven columns. */
const find = prepared<{ candidates: Candidates | null }>(
  'select find_candidates($1, $2, $3, $4, $5, $6) as candidates',
);

/**
 * One round trip to the database: words and vectors together, filtered by workspace, audience and documents. Null where
 * there is nothing to search.
 */
export async function findCandidates(
  database: Kysely<Tables>,
  { workspaceId, audience, documentIds, terms, vector }: CandidateQuery,
): Promise<Candidates | null> {
  const [row] = await find(database, [workspaceId, audience, documentIds, terms, vector, postingBudget]);
  return row?.candidates ?? null;
}
