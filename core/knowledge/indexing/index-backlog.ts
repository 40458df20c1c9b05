import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../storage/tables/tables.ts';

/** Documents whose newest content is not in the index yet: answers do not know it. */
export interface IndexBacklog {
  readonly documents: number;
  /** The time since which the oldest of them waits; null if none does. */
  readonly oldestAt: Date | null;
}

export const noBacklog: IndexBacklog = { documents: 0, oldestAt: null };

/** Loads the backlogs of all workspaces that have one. */
export function loadIndexBacklogs(
  database: Kysely<Tables>,
): Promise<readonly (IndexBacklog & { readonly workspaceId: string })[]> {
  // The index of unfinished documents makes this cheap, however many there are.
  return database
    .selectFrom('document')
    .select('workspace_id as workspaceId')
    .select(sql<number>`count(*)::int`.as('documents'))
    .select(sql<Date | null>`min(updated_at)`.as('oldestAt'))
    .where('status', 'in', ['queued', 'indexing'])
    .groupBy('workspace_id')
    .execute();
}
