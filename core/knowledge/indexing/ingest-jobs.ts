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
 * The id of the job for what is to be done with a document: there is one at a time. Where no other process can be at work
 * those of one that died say nothing, and are not waited for.
 */
function ingestJobId(
  { database, processes }: IngestQueueContext,
  { id, revision, status }: IngestTarget,
): string {
  const process = database.engine === 'embedded' ? `-${processes.id}` : '';
  return `${id}-${revision}-${status === 'deleted' ? 'removal' : 'indexing'}${process}`;
}

export type WakeDocument = (document: DocumentRecord) => Promise<void>;

/** Wakes a worker for a document that was stored. Never fails: what is missed the housekeeping wakes. */
export function createDocumentWaker(runtime: IngestDependencies): WakeDocument {
  const { database, queue, log } = runtime;
  return async ({ id, workspaceId, wantedRevision, status }) => {
    try {
      const place = await indexingPriority(database.kysely, workspaceId);
      const job = ingestJobId(runtime, { id, revision: wantedRevision, status });
      await queue.add('ingest', job, { documentId: id }, { place });
    } catch (err) {
      log.warn({ err, document: id }, 'a document could not be woken: it will be within two minutes');
    }
  };
}

interface WaitingDocument {
  readonly statuses: readonly DocumentTable['status'][];
  /** Those only that nothing was said of since. */
  readonly before: Date;
  /** All of them when absent. */
  readonly most?: number;
}

/** Wakes workers for documents that they have something to do with, oldest first, whatever became of their jobs. */
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

/** Where more of a workspace wait its documents are last, in the order in which they came. */
const LOWEST_PRIORITY = 1_000;

/**
 * When a document of a workspace is indexed among those of all, from 1: after as many of each other workspace as its own has
 * before it, so that a thousand of one are not waited for by another with a single one.
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
 * Keeps documents of one workspace from filling all slots of a worker: as many of each as `most` run, the others stand in
 * a line of their workspace, in memory; after a crash their rows say that they are still to be done.
 */
export class WorkspaceTurns {
  readonly #most: number;
  readonly #running = new Map<string, number>();
  readonly #lines = new Map<string, Set<string>>();

  constructor(most: number) {
    this.#most = most;
  }

  /** True where the document may run now, and `leave` is to be called after it; otherwise it stands in the line. */
  enter(workspaceId: string, documentId: string): boolean {
    const running = this.#running.get(workspaceId) ?? 0;
    if (running < this.#most) {
      this.#running.set(workspaceId, running + 1);
      return true;
    }
    this.#lines.set(workspaceId, (this.#lines.get(workspaceId) ?? new Set()).add(documentId));
    return false;
  }

  /** The document whose turn has come; undefined where the workspace has none in its line. */
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
