import type { Logger } from '../../base/log.ts';
import type { JobQueue } from '../../queue/queue.ts';
import type { Database } from '../../storage/database.ts';
import type { DocumentTable } from '../../storage/tables/knowledge-tables.ts';
import type { DocumentRecord } from '../documents/document.ts';

interface IngestDependencies {
  readonly database: Database;
  readonly queue: Pick<JobQueue, 'add'>;
  readonly log: Pick<Logger, 'warn'>;
}

/**
 * Returns the id of the job for the pending work of a document, so that the queue holds one at a time. A job only makes a
 * worker look: the rows decide which document is next (`lease_document`).
 */
function ingestJobId({
  id,
  revision,
  status,
}: {
  readonly id: string;
  readonly revision: number;
  readonly status: string;
}): string {
  return `${id}-${revision}-${status === 'deleted' ? 'removal' : 'indexing'}`;
}

export type WakeDocument = (document: DocumentRecord) => Promise<void>;

/** Returns a function that queues an ingest job. It never rejects: the maintenance worker requeues missed documents. */
export function createDocumentWaker({ queue, log }: Omit<IngestDependencies, 'database'>): WakeDocument {
  return async ({ id, wantedRevision, status }) => {
    try {
      await queue.add('ingest', ingestJobId({ id, revision: wantedRevision, status }), { documentId: id });
    } catch (err) {
      log.warn({ err, document: id }, 'queueing a document failed, retried within two minutes');
    }
  };
}

interface WaitingDocuments {
  readonly statuses: readonly DocumentTable['status'][];
  /** Only documents not updated since. */
  readonly before: Date;
  readonly most: number;
}

/** Queues jobs for documents with pending work, oldest first, unless the queue has one. */
export async function requeueDocuments(
  { database, queue }: Omit<IngestDependencies, 'log'>,
  { statuses, before, most }: WaitingDocuments,
): Promise<void> {
  const rows = await database.kysely
    .selectFrom('document')
    .select(['id', 'wanted_revision as revision', 'status'])
    .where('status', 'in', [...statuses])
    .where('updated_at', '<=', before)
    .orderBy('updated_at')
    .limit(most)
    .execute();
  for (const row of rows) await queue.add('ingest', ingestJobId(row), { documentId: row.id });
}
