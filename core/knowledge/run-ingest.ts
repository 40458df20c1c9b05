import { sql } from 'kysely';
import type { Runtime } from '../runtime.ts';
import { ingestDocument, recordFailure } from './ingest-document.ts';
import { lastPlace } from './place-in-line.ts';
import { rebuildIndex } from './rebuild-index.ts';
import { Upkeep } from './upkeep.ts';

/** Documents read at once: enough that the embedder never waits for the database. */
const concurrency = 3;

/**
 * Indexes documents until the returned function is called. Begins with those that an earlier process left undone:
 * the rows say what there is to do, whatever became of their jobs.
 */
export async function runIngest(runtime: Runtime): Promise<() => Promise<void>> {
  const { database, queue, log } = runtime;
  const dependencies = { ...runtime, database: database.kysely };
  const upkeep = new Upkeep(runtime);
  await rebuildIndex(runtime);
  const stop = await queue.work('ingest', {
    concurrency,
    async run({ documentId }) {
      const startedAt = performance.now();
      const outcome = await ingestDocument(dependencies, documentId);
      if (outcome === 'nothing-to-do') return;
      log.debug(
        { document: documentId, outcome, ms: Math.round(performance.now() - startedAt) },
        'document done',
      );
      await upkeep.after(documentId);
    },
    async givenUp({ documentId }) {
      const row = await database.kysely
        .selectFrom('document')
        .select(['number', 'wanted_revision'])
        .where('id', '=', documentId)
        .executeTakeFirst();
      if (row === undefined) return;
      await recordFailure(
        dependencies,
        { number: row.number, wantedRevision: row.wanted_revision },
        {
          code: 'indexing_failed',
          reason:
            'Indexing failed on our side, several times. Add the document again; the log has the cause.',
        },
      );
    },
  });
  await wakeUnfinished(runtime);
  return stop;
}

/** Where no other process can be at work the jobs of one that died say nothing, and are not waited for. */
async function wakeUnfinished({ database, queue, processes }: Runtime): Promise<void> {
  const start = database.engine === 'embedded' ? `-${processes.id}` : '';
  const rows = await database.kysely
    .selectFrom('document')
    .select(['id', 'wanted_revision', 'status'])
    .select(sql<number>`row_number() over (partition by workspace_id order by updated_at)::int`.as('place'))
    .where('status', 'in', ['queued', 'indexing', 'deleted'])
    .orderBy('updated_at')
    .execute();
  for (const row of rows) {
    const id = `${row.id}-${row.wanted_revision}-${row.status}${start}`;
    await queue.add('ingest', id, { documentId: row.id }, { place: Math.min(row.place, lastPlace) });
  }
}
