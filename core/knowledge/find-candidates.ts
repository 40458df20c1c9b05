import { type Kysely, sql } from 'kysely';
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

export interface CandidateRow {
  readonly chunk_id: number;
  readonly document_id: string;
  readonly ordinal: number;
  readonly title: string;
  readonly url: string | null;
  readonly headings: string[];
  readonly body: string;
  /** Over all terms of the question. */
  readonly bm25: number;
  readonly cosine: number;
  /** Chunks in the scopes that were searched. */
  readonly chunks: number;
  /** On the first row only: in how many of those chunks each term occurs. */
  readonly frequencies: readonly [term: number, chunks: number][] | null;
}

/**
 * The rarest terms of a question bring candidates until about this many postings are read. Frequent terms hardly
 * change who is found, and are counted exactly for whoever is.
 */
const postingBudget = 4_000;

/** One round trip to the database: words and vectors together, filtered by workspace, audience and documents. */
export async function findCandidates(
  database: Kysely<Tables>,
  query: CandidateQuery,
): Promise<CandidateRow[]> {
  const documents = query.documentIds === null ? null : [...query.documentIds];
  const { rows } = await sql<CandidateRow>`
    select * from search_candidates(
      ${query.workspaceId}::text, ${[...query.audience]}::text[], ${documents}::text[], ${[...query.terms]}::int[],
      ${query.vector}::vector, ${postingBudget}::int
    )
  `.execute(database);
  return rows;
}
