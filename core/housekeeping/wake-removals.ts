import { lastPlace } from '../knowledge/place-in-line.ts';
import type { Runtime } from '../runtime.ts';
import { deletionGraceMs } from './deletion-grace.ts';
import { batchRows } from './task.ts';

/** Wakes the workers that remove what deleted workspaces had indexed. */
export async function wakeRemovals({
  database,
  queue,
  clock,
}: Pick<Runtime, 'database' | 'queue' | 'clock'>): Promise<void> {
  const documents = await database.kysely
    .selectFrom('document')
    .innerJoin('workspace', 'workspace.id', 'document.workspace_id')
    .select(['document.id', 'document.wanted_revision', 'document.status'])
    .where('workspace.deleted_at', '<', new Date(clock.now().getTime() - deletionGraceMs))
    .where('document.status', '=', 'deleted')
    .limit(batchRows)
    .execute();
  for (const { id, wanted_revision, status } of documents) {
    await queue.add('ingest', `${id}-${wanted_revision}-${status}`, { documentId: id }, { place: lastPlace });
  }
}
