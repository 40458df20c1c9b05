import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import type { Settings } from '../../storage/settings.ts';
import type { Tables } from '../../storage/tables/tables.ts';

/** How complete the indexes of words and vectors are. */
interface IndexCounts {
  readonly passages: number;
  /** Workspaces of which passages have no words in the index, or words are left of passages that are gone. */
  readonly withoutWords: readonly string[];
  /** Workspaces of which passages have no vector, while nothing makes them. */
  readonly withoutVectors: readonly string[];
}

/**
 * Compares the passages with the indexes of words and of vectors, by scope. It reads the index of words once, which takes
 * about a second for each hundred thousand passages. A scope whose words are being indexed anew is left out.
 */
export async function countIndex(database: Kysely<Tables>): Promise<IndexCounts> {
  const { rows } = await sql<{
    workspaceId: string;
    passages: number;
    counted: number;
    terms: string;
    indexed: string;
    vectors: number;
    hasVectors: boolean;
  }>`
    select scope.workspace_id as "workspaceId",
           scope.chunk_count as counted,
           coalesce(chunks.count, 0)::int as passages,
           scope.term_count as terms,
           coalesce(words.terms, 0)::bigint as indexed,
           coalesce(vectors.count, 0)::int as vectors,
           coalesce(corpus.model_id, 0) = 0 and corpus.next_model_id is null as "hasVectors"
    from scope
    left join corpus on corpus.workspace_id = scope.workspace_id
    left join (select scope_id, count(*) from chunk group by scope_id) chunks on chunks.scope_id = scope.id
    left join (select scope_id, sum(term_frequency) as terms from posting group by scope_id) words
      on words.scope_id = scope.id * scope.words_side
    left join (select scope_id, count(*) from chunk_vector group by scope_id) vectors on vectors.scope_id = scope.id
    where scope.rebuild is null
  `.execute(database);
  const places = (isWrong: (row: (typeof rows)[number]) => boolean) => [
    ...new Set(rows.filter(isWrong).map(({ workspaceId }) => workspaceId)),
  ];
  return {
    passages: rows.reduce((sum, { passages }) => sum + passages, 0),
    withoutWords: places(
      ({ passages, counted, terms, indexed }) => passages !== counted || terms !== indexed,
    ),
    // A passage that cannot be embedded has none, so only a scope with fewer than half of them is a hole.
    withoutVectors: places(({ passages, vectors, hasVectors }) => hasVectors && vectors * 2 < passages),
  };
}

/** The setting of the installation with the last counts. */
export const INDEX_COUNTS_SETTING = 'index_counts';

const storedSchema = z.object({
  at: z.coerce.date(),
  passages: z.number(),
  withoutWords: z.array(z.string()),
  withoutVectors: z.array(z.string()),
});

/** Null for no counts, and for those of another version. */
export function readIndexCounts(stored: string | null): (IndexCounts & { readonly at: Date }) | null {
  try {
    return storedSchema.safeParse(JSON.parse(stored ?? 'null')).data ?? null;
  } catch {
    // An operator changed the setting by hand: the next round counts again.
    return null;
  }
}

const COUNT_INTERVAL_MS = 6 * 3_600_000;
/** After counts that found something missing: what was mended is to be seen soon. */
const SHORT_INTERVAL_MS = 600_000;

interface CountDependencies {
  readonly database: Kysely<Tables>;
  readonly settings: Pick<Settings, 'get' | 'set'>;
  readonly clock: Clock;
}

/** Counts for all processes, unless one of them did so lately. */
export async function recountIndex({ database, settings, clock }: CountDependencies): Promise<void> {
  const last = readIndexCounts(await settings.get(INDEX_COUNTS_SETTING));
  const now = clock.now();
  const isComplete = last !== null && last.withoutWords.length + last.withoutVectors.length === 0;
  const intervalMs = isComplete ? COUNT_INTERVAL_MS : SHORT_INTERVAL_MS;
  if (last !== null && now.getTime() - last.at.getTime() < intervalMs) return;
  const counts = await countIndex(database);
  await settings.set(INDEX_COUNTS_SETTING, JSON.stringify({ at: now, ...counts }));
}
