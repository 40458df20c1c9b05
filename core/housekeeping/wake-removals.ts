import { type IngestPlace, ingestJob } from '../knowledge/ingest-job.ts';
import { lastPlace } from '../knowledge/place-in-line.ts';
import type { Runtime } from '../runtime.ts';
import { deletionGraceMs } from './deletion-grace.ts';
import { batchRows } from './task.ts';

/** Wakes the workers that remove what deleted workspaces had indexed. */
export async function wakeRemovals(
  runtime: Pick<Runtime, 'database' | 'queue' | 'clock'> & IngestPlace,
): Promise<void> {
  const { database, queue, clock } = runtime;
  const documents = await database.kysely
    .selectFrom('document')
    .innerJoin('workspace', 'workspace.id', 'document.workspace_id')
    .select(['document.id', 'document.wanted_revision as revision', 'document.status'])
    .where('workspace.deleted_at', '<', new Date(clock.now().getTime() - deletionGraceMs))
    .where('document.status', '=', 'deleted')
    .limit(batchRows)
    .execute();
  for (const document of documents) {
    const place = lastPlace;
    await queue.add('ingest', ingestJob(runtime, document), { documentId: document.id }, { place });
  }
}
