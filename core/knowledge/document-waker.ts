import type { Runtime } from '../runtime.ts';
import type { DocumentRecord } from './document.ts';
import { type IngestPlace, ingestJob } from './ingest-job.ts';
import { placeInLine } from './place-in-line.ts';

export type WakeDocument = (document: DocumentRecord) => Promise<void>;

/** Wakes a worker for a document that was stored. Never fails: what is missed the housekeeping wakes. */
export function documentWaker(
  runtime: Pick<Runtime, 'database' | 'queue' | 'log'> & IngestPlace,
): WakeDocument {
  const { database, queue, log } = runtime;
  return async ({ id, workspaceId, wantedRevision, status }) => {
    try {
      const place = await placeInLine(database.kysely, workspaceId);
      const job = ingestJob(runtime, { id, revision: wantedRevision, status });
      await queue.add('ingest', job, { documentId: id }, { place });
    } catch (err) {
      log.warn({ err, document: id }, 'a document could not be woken: it will be within two minutes');
    }
  };
}
