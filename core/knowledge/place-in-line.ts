import { type Kysely, sql } from 'kysely';
import type { Tables } from '../storage/tables.ts';

/** Where more of a workspace wait its documents are last, in the order in which they came. */
export const lastPlace = 1_000;

/**
 * When a document of a workspace is indexed among those of all, from 1: after as many of each other workspace as its own has
 * before it, so that a thousand of one are not waited for by another with a single one.
 */
export async function placeInLine(database: Kysely<Tables>, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ place: number }>`
    select greatest(1, count(*))::int as place from (
      select from document where workspace_id = ${workspaceId} and status in ('queued', 'indexing') limit ${lastPlace}
    ) as waiting
  `.execute(database);
  return rows[0]?.place ?? 1;
}
