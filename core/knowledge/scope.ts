import { type Kysely, sql } from 'kysely';
import type { Tables } from '../storage/tables.ts';

/** The scope of documents of a workspace with exactly these audience tags (sorted); made when there is none. */
export async function scopeFor(
  database: Kysely<Tables>,
  workspaceId: string,
  audience: readonly string[],
): Promise<number> {
  const tags = [...audience];
  await database
    .insertInto('scope')
    .values({ workspace_id: workspaceId, audience: tags, term_count: 0 })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'audience']).doNothing())
    .execute();
  const row = await database
    .selectFrom('scope')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('audience', '=', sql<string[]>`${tags}::text[]`)
    .executeTakeFirstOrThrow();
  return row.id;
}
