import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../storage/tables/tables.ts';
import { findUse } from '../use/document-use.ts';

const PERIOD_MS = 30 * 24 * 3_600_000;

interface Counting {
  readonly workspaceId: string;
  readonly ids: readonly string[];
  readonly now: Date;
}

/**
 * Counts the answers of the last 30 days that rest on each curated answer, as maintenance counts the use of documents, and
 * those that it withheld, which have no sources.
 */
export async function countHits(
  database: Kysely<Tables>,
  { workspaceId, ids, now }: Counting,
): Promise<ReadonlyMap<string, number>> {
  const use = await findUse(database, ids, now);
  const hits = new Map([...use].map(([id, { answers }]) => [id, answers]));
  const { rows } = await sql<{ id: string; answers: number }>`
    select decision -> 'curated' ->> 'document_id' as id, count(*)::int as answers from message
    where workspace_id = ${workspaceId} and confidence = 'low'
      and created_at >= ${new Date(now.getTime() - PERIOD_MS)}
      and decision -> 'curated' ->> 'document_id' = any(${[...ids]}::text[])
    group by 1
  `.execute(database);
  for (const { id, answers } of rows) hits.set(id, (hits.get(id) ?? 0) + answers);
  return hits;
}
