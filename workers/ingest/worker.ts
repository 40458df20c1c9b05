import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { stopWithGrace, withTimeout } from '../../core/async.ts';
import { fillSentenceVectors } from '../../core/knowledge/indexing/fill-sentence-vectors.ts';
import {
  type IngestDependencies,
  ingestDocument,
  recordIngestFailure,
} from '../../core/knowledge/indexing/ingest-document.ts';
import { requeueDocuments, WorkspaceTurns } from '../../core/knowledge/indexing/ingest-jobs.ts';
import { rebuildIndex } from '../../core/knowledge/indexing/rebuild-index.ts';
import type { Runtime } from '../../core/runtime.ts';
import { isDatabaseFault, retryUntilDatabase } from '../../core/storage/sql-errors.ts';
import { vacuum } from '../../core/storage/vacuum.ts';
import { changeModels, releaseModelChanges } from './change-models.ts';

/**
 * Number of documents indexed concurrently. Three keep the embedder busy while documents wait for the database.
 * A workspace gets at most three, so one slot is always free for another workspace.
 */
const concurrency = 4;
/**
 * Pause of a slot after it queued a document behind its workspace's turn, so that a long queue is read into
 * memory slowly.
 */
const SLOT_PAUSE_MS = 200;

const failure = {
  code: 'indexing_failed',
  reason:
    'Indexing failed several times because of a server error. Add the document again. The server log contains the cause.',
};

/**
 * Starts the worker that indexes documents. The returned function stops it. On start it requeues documents that
 * an earlier process left unfinished: the rows decide what is to be done, whatever happened to their jobs.
 */
export async function runIngestWorker(runtime: Runtime): Promise<() => Promise<void>> {
  const { config, database, queue, log, clock } = runtime;
  const shutdownController = new AbortController();
  const dependencies = { ...runtime, database: database.kysely, signal: shutdownController.signal };
  const maintenance = new IndexMaintenance(runtime);
  const turns = new WorkspaceTurns(concurrency - 1);
  const background = Promise.all([
    keepChangingModels(runtime, shutdownController.signal),
    keepIndexComplete(runtime, shutdownController.signal),
  ]);
  /** Waits for the database after a database fault, so that an outage uses up at most one attempt. */
  const retryOnFault = async <Done>(doing: Promise<Done>): Promise<Done> => {
    try {
      return await doing;
    } catch (error) {
      if (isDatabaseFault(error))
        await retryUntilDatabase(() => sql`select 1`.execute(database.kysely), shutdownController.signal);
      throw error;
    }
  };
  const stop = await queue.work('ingest', {
    concurrency,
    async run({ documentId }) {
      const workspaceId = await retryOnFault(findWorkspace(dependencies, documentId));
      if (workspaceId === null) return;
      if (!turns.enter(workspaceId, documentId)) return pauseSlot(shutdownController.signal);
      try {
        const startedAt = performance.now();
        const outcome = await retryOnFault(ingestDocument(dependencies, documentId));
        if (outcome === 'nothing-to-do') return;
        log.debug(
          { document: documentId, outcome, ms: Math.round(performance.now() - startedAt) },
          'document processed',
        );
        await maintenance.after(documentId);
      } finally {
        await wakeNext(runtime, turns.leave(workspaceId));
      }
    },
    async givenUp({ documentId }) {
      await retryUntilDatabase(() => recordFinalFailure(dependencies, documentId), shutdownController.signal);
    },
  });
  await requeueDocuments(runtime, { statuses: ['queued', 'indexing', 'deleted'], before: clock.now() });
  return async () => {
    await stopWithGrace(stop, { controller: shutdownController, seconds: config.SHUTDOWN_SECONDS });
    shutdownController.abort();
    // A provider that does not answer does not delay the end: the next process continues.
    await withTimeout(MAX_CHANGE_WAIT_MS, background);
  };
}

/** How often workspaces whose embedding model has changed are looked for. */
const CHANGE_INTERVAL_MS = 30_000;
const MAX_CHANGE_WAIT_MS = 1_000;

/** Gives workspaces the vectors that they should have, until the signal aborts. */
async function keepChangingModels(runtime: Runtime, signal: AbortSignal): Promise<void> {
  const { database, embedder, clock, log } = runtime;
  // No other process can be at it.
  if (database.engine === 'embedded') await releaseModelChanges(database.kysely);
  let isFilled = false;
  while (!signal.aborted) {
    try {
      const changed = await changeModels({ database: database.kysely, embedder, clock, log, signal });
      if (changed > 0 || !isFilled) isFilled = await fillSentenceVectors({ database, embedder, log, signal });
    } catch (err) {
      if (!signal.aborted) log.warn({ err }, 'change of vectors interrupted');
    }
    await wait(CHANGE_INTERVAL_MS, undefined, { signal, ref: false }).catch(() => {
      // Aborted: the worker stops.
    });
  }
}

/** How often the counts of the word index are compared. */
const INDEX_CHECK_INTERVAL_MS = 10 * 60_000;

/** Indexes the words of passages anew that lack them or have those of an earlier version, until the signal aborts. */
async function keepIndexComplete({ database, log }: Runtime, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const completed = await rebuildIndex({ database: database.kysely, log, signal });
      if (completed > 0) await vacuum(database, SEARCH_TABLES);
    } catch (err) {
      if (!signal.aborted) log.warn({ err }, 'search index rebuild interrupted');
    }
    await wait(INDEX_CHECK_INTERVAL_MS, undefined, { signal, ref: false }).catch(() => {
      // Aborted: the worker stops.
    });
  }
}

async function recordFinalFailure(dependencies: IngestDependencies, documentId: string): Promise<void> {
  const row = await dependencies.database
    .selectFrom('document')
    .select(['number', 'wanted_revision as wantedRevision'])
    .where('id', '=', documentId)
    .executeTakeFirst();
  if (row !== undefined) await recordIngestFailure(dependencies, row, failure);
}

/** Null if the document no longer exists. */
async function findWorkspace({ database }: IngestDependencies, documentId: string): Promise<string | null> {
  const row = await database
    .selectFrom('document')
    .select('workspace_id as workspaceId')
    .where('id', '=', documentId)
    .executeTakeFirst();
  return row?.workspaceId ?? null;
}

async function pauseSlot(signal: AbortSignal): Promise<void> {
  await wait(SLOT_PAUSE_MS, undefined, { signal }).catch(() => {
    // Aborted: the worker stops.
  });
}

/** Uses a new job id, because the job that queued the document may still be finishing. */
async function wakeNext(
  { queue, log }: Pick<Runtime, 'queue' | 'log'>,
  documentId: string | undefined,
): Promise<void> {
  if (documentId === undefined) return;
  try {
    await queue.add('ingest', `${documentId}-${randomUUID()}`, { documentId }, { place: 1 });
  } catch (err) {
    log.warn({ err, document: documentId }, 'waking a document failed');
  }
}

/** Number of new chunks after which the tables are vacuumed, even while documents wait. */
const CHUNKS_BETWEEN_VACUUMS = 1_000;
/** Lower threshold when no document waits. */
const CHUNKS_WHEN_IDLE = 50;

/** Vacuums the search tables while documents are indexed. */
export class IndexMaintenance {
  readonly #runtime: Pick<Runtime, 'database'>;
  #changedChunks = 0;

  constructor(runtime: Pick<Runtime, 'database'>) {
    this.#runtime = runtime;
  }

  async after(documentId: string): Promise<void> {
    const { database } = this.#runtime;
    const row = await database.kysely
      .selectFrom('document')
      .select('chunk_count')
      .where('id', '=', documentId)
      .executeTakeFirst();
    this.#changedChunks += row?.chunk_count ?? 1;
    if (this.#changedChunks < (await this.#threshold())) return;
    this.#changedChunks = 0;
    // Without a vacuum, a search checks every posting outside the index and takes twice as long.
    await vacuum(database, SEARCH_TABLES);
  }

  async #threshold(): Promise<number> {
    const waiting = await this.#runtime.database.kysely
      .selectFrom('document')
      .select('id')
      .where('status', 'in', ['queued', 'indexing', 'deleted'])
      .limit(1)
      .executeTakeFirst();
    return waiting === undefined ? CHUNKS_WHEN_IDLE : CHUNKS_BETWEEN_VACUUMS;
  }
}

/** The tables that a search reads. */
export const SEARCH_TABLES: readonly string[] = [
  'posting',
  'term_count',
  'chunk',
  'chunk_vector',
  'sentence_vector',
  'model_vector',
  'document',
  'scope',
];
