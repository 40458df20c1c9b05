import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../storage/tables/tables.ts';

/** Documents whose newest content is not in the index yet: answers do not know it. */
export interface IndexBacklog {
  readonly documents: number;
  /** Since when the oldest of them waits; null if none does. */
  readonly oldestAt: Date | null;
}

export const noBacklog: IndexBacklog = { documents: 0, oldestAt: null };

/** Of one workspace. */
export async function loadIndexBacklog(database: Kysely<Tables>, workspaceId: string): Promise<IndexBacklog> {
  const row = await waiting(database).where('workspace_id', '=', workspaceId).executeTakeFirst();
  return row ?? noBacklog;
}

/** Of all workspaces that have one. */
export function loadIndexBacklogs(
  database: Kysely<Tables>,
): Promise<readonly (IndexBacklog & { readonly workspaceId: string })[]> {
  return waiting(database).select('workspace_id as workspaceId').groupBy('workspace_id').execute();
}

/** The index of unfinished documents makes this cheap, however many there are. */
function waiting(database: Kysely<Tables>) {
  return database
    .selectFrom('document')
    .select(sql<number>`count(*)::int`.as('documents'))
    .select(sql<Date | null>`min(updated_at)`.as('oldestAt'))
    .where('status', 'in', ['queued', 'indexing']);
}
