import { type Kysely, sql } from 'kysely';
import type { Logger } from '../../log.ts';
import type { JobQueue } from '../../queue/queue.ts';
import type { Database } from '../../storage/database.ts';
import type { DocumentTable } from '../../storage/tables/knowledge-tables.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import type { DocumentRecord } from '../document.ts';

export interface IngestQueueContext {
  readonly database: Pick<Database, 'engine'>;
  readonly processes: { readonly id: string };
}

interface IngestDependencies extends IngestQueueContext {
  readonly database: Database;
  readonly queue: JobQueue;
  readonly log: Logger;
}

interface IngestTarget {
  readonly id: string;
  readonly revision: number;
  readonly status: string;
}

/**
 * Returns the id of the job for the pending work of a document, so that the queue holds one at a time. With embedded
 * storage no other process can be working: the process id in the job id ignores jobs of a process that died.
 */
function ingestJobId(
  { database, processes }: IngestQueueContext,
  { id, revision, status }: IngestTarget,
): string {
  const process = database.engine === 'embedded' ? `-${processes.id}` : '';
  return `${id}-${revision}-${status === 'deleted' ? 'removal' : 'indexing'}${process}`;
}

export type WakeDocument = (document: DocumentRecord) => Promise<void>;

/** Returns a function that queues an ingest job. It never rejects: the maintenance worker requeues missed documents. */
export function createDocumentWaker(runtime: IngestDependencies): WakeDocument {
  const { database, queue, log } = runtime;
  return async ({ id, workspaceId, wantedRevision, status }) => {
    try {
      const place = await indexingPriority(database.kysely, workspaceId);
      const job = ingestJobId(runtime, { id, revision: wantedRevision, status });
      await queue.add('ingest', job, { documentId: id }, { place });
    } catch (err) {
      log.warn({ err, document: id }, 'queueing a document failed, retried within two minutes');
    }
  };
}

interface WaitingDocument {
  readonly statuses: readonly DocumentTable['status'][];
  /** Only documents not updated since. */
  readonly before: Date;
  /** Unlimited if absent. */
  readonly most?: number;
}

/** Queues jobs for documents with pending work, oldest first, regardless of earlier jobs. */
export async function requeueDocuments(
  runtime: Omit<IngestDependencies, 'log'>,
  { statuses, before, most }: WaitingDocument,
): Promise<void> {
  const rows = await runtime.database.kysely
    .selectFrom('document')
    .select(['id', 'wanted_revision as revision', 'status'])
    .select(sql<number>`row_number() over (partition by workspace_id order by updated_at)::int`.as('place'))
    .where('status', 'in', [...statuses])
    .where('updated_at', '<=', before)
    .orderBy('updated_at')
    .limit(most ?? null)
    .execute();
  for (const row of rows) {
    const place = Math.min(row.place, LOWEST_PRIORITY);
    await runtime.queue.add('ingest', ingestJobId(runtime, row), { documentId: row.id }, { place });
  }
}

/** Documents of a workspace beyond this number share the last place, in order of arrival. */
const LOWEST_PRIORITY = 1_000;

/**
 * Returns the place of a document in the queue, from 1: its position within its own workspace. Workspaces thereby take
 * turns, and a single document does not wait for a thousand of another workspace.
 */
async function indexingPriority(database: Kysely<Tables>, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ place: number }>`
    select greatest(1, count(*))::int as place from (
      select from document where workspace_id = ${workspaceId} and status in ('queued', 'indexing') limit ${LOWEST_PRIORITY}
    ) as waiting
  `.execute(database);
  return rows[0]?.place ?? 1;
}

/**
 * Prevents the documents of one workspace from occupying all slots of a worker: at most `limit` of them run at a time.
 * Others wait in memory, in a line per workspace; after a crash their rows still mark them as pending.
 */
export class WorkspaceTurns {
  readonly #limit: number;
  readonly #running = new Map<string, number>();
  readonly #lines = new Map<string, Set<string>>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Returns true if the document may run now; `leave` must be called after it. Otherwise it waits in the line. */
  enter(workspaceId: string, documentId: string): boolean {
    const running = this.#running.get(workspaceId) ?? 0;
    if (running < this.#limit) {
      this.#running.set(workspaceId, running + 1);
      return true;
    }
    this.#lines.set(workspaceId, (this.#lines.get(workspaceId) ?? new Set()).add(documentId));
    return false;
  }

  /** Releases a slot and returns the next waiting document of the workspace, or undefined if none waits. */
  leave(workspaceId: string): string | undefined {
    const running = (this.#running.get(workspaceId) ?? 1) - 1;
    if (running === 0) this.#running.delete(workspaceId);
    else this.#running.set(workspaceId, running);
    const line = this.#lines.get(workspaceId);
    const [next] = line ?? [];
    if (line === undefined || next === undefined) return undefined;
    line.delete(next);
    if (line.size === 0) this.#lines.delete(workspaceId);
    return next;
  }
}
