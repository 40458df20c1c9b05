import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { stopWithGrace, withTimeout } from '../../core/base/async.ts';
import { checkNextDocument } from '../../core/knowledge/facts/check-document.ts';
import { changeModels, releaseModelChanges } from '../../core/knowledge/indexing/change-models.ts';
import { fillSentenceVectors } from '../../core/knowledge/indexing/fill-sentence-vectors.ts';
import {
  hasUnfinishedDocuments,
  isDocumentDue,
  releaseDocuments,
} from '../../core/knowledge/indexing/held-document.ts';
import { ingestNext } from '../../core/knowledge/indexing/ingest-document.ts';
import { rebuildIndex } from '../../core/knowledge/indexing/rebuild-index.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { isDatabaseFault, pingDatabase, retryUntilDatabase } from '../../core/storage/sql-errors.ts';
import { vacuum } from '../../core/storage/vacuum.ts';

/**
 * Number of documents indexed concurrently. Three keep the embedder busy while documents wait for the database. The
 * documents of one workspace take at most half of the slots: a file that takes long to read delays no other workspace.
 */
const concurrency = 6;
const mostOfWorkspace = concurrency / 2;
/** Long enough that the search for the next document costs little, short enough that others get their turn soon. */
const SLICE = { passages: 200, ms: 10_000 };
/** How often a worker looks for documents whose worker died, or whose pause after an error is over. */
const LOOK_INTERVAL_MS = 5_000;

/**
 * Starts the worker that indexes documents, slice by slice. The returned function stops it. A job of the queue makes the
 * worker look for the document that is next, and leads to another job while documents wait. Jobs that were lost do not
 * matter: a look at the rows replaces them, at the start and every few seconds.
 */
export async function runIngestWorker(runtime: Runtime): Promise<() => Promise<void>> {
  const { config, database, queue, log, processes } = runtime;
  const shutdownController = new AbortController();
  const stopping = new AbortController();
  const dependencies = { ...runtime, database: database.kysely, signal: shutdownController.signal };
  const maintenance = new IndexMaintenance(runtime);
  // No other process can hold them.
  if (database.engine === 'embedded') await releaseDocuments(database.kysely);
  const background = Promise.all([
    keepChangingModels(runtime, shutdownController.signal),
    keepIndexComplete(runtime, shutdownController.signal),
    keepComparingFacts(runtime, shutdownController.signal),
  ]);
  const addJob = (documentId: string, delayMs = 0) =>
    queue.add('ingest', `look-${randomUUID()}`, { documentId }, { delayMs }).catch((err: unknown) => {
      log.warn({ err, document: documentId }, 'queueing a document failed, retried soon');
    });
  /** Waits for the database after a database fault, so that an outage uses up at most one attempt. */
  const retryOnFault = async <Done>(doing: Promise<Done>): Promise<Done> => {
    try {
      return await doing;
    } catch (error) {
      if (isDatabaseFault(error))
        await retryUntilDatabase(() => pingDatabase(database.kysely), shutdownController.signal);
      throw error;
    }
  };
  const stop = await queue.work('ingest', {
    concurrency,
    async run() {
      const startedAt = performance.now();
      const next = { processId: processes.id, mostOfWorkspace };
      const ingested = await retryOnFault(
        ingestNext(dependencies, next, { ...SLICE, stopping: stopping.signal }),
      );
      if (ingested === null) return;
      const { documentId, outcome, passages, error, pauseMs } = ingested;
      const told = { document: documentId, outcome };
      if (error !== undefined) log.warn({ ...told, err: error }, 'indexing failed');
      else log.debug({ ...told, ms: Math.round(performance.now() - startedAt) }, 'document processed');
      if (pauseMs !== undefined) await addJob(documentId, pauseMs);
      if (await retryOnFault(isDocumentDue(database.kysely))) await addJob(documentId);
      await maintenance.after(passages);
    },
    async givenUp({ documentId }, err) {
      log.warn({ err, document: documentId }, 'ingest job dropped, retried soon');
    },
  });
  const looking = keepLooking(runtime, stopping.signal);
  return async () => {
    stopping.abort();
    await looking;
    await stopWithGrace(stop, { controller: shutdownController, seconds: config.SHUTDOWN_SECONDS });
    shutdownController.abort();
    // A provider that does not answer does not delay the end: the next process continues.
    await withTimeout(MAX_CHANGE_WAIT_MS, background);
  };
}

/** Queues jobs while documents are due, at once and then every few seconds. */
async function keepLooking({ database, queue, log, processes }: Runtime, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      if (await isDocumentDue(database.kysely)) {
        for (let slot = 0; slot < concurrency; slot += 1) {
          await queue.add('ingest', `look-${processes.id}-${slot}`, { documentId: '' });
        }
      }
    } catch (err) {
      log.warn({ err }, 'looking for documents failed');
    }
    await wait(LOOK_INTERVAL_MS, undefined, { signal, ref: false }).catch(() => {
      // Aborted: the worker stops.
    });
  }
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

/** How often documents are looked for whose passages are new. */
const FACTS_INTERVAL_MS = 5_000;

/** Compares the facts of documents that have changed with those of the others, one after the other, until the signal aborts. */
async function keepComparingFacts({ database, clock, log }: Runtime, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const startedAt = performance.now();
      const checked = await checkNextDocument({ database: database.kysely, clock, signal });
      if (checked !== null) {
        const ms = Math.round(performance.now() - startedAt);
        log.debug({ ...checked, ms }, 'facts compared');
        // As long again: answers and indexing use the same database.
        await wait(Math.min(ms, FACTS_INTERVAL_MS), undefined, { signal });
        continue;
      }
    } catch (err) {
      if (!signal.aborted) log.warn({ err }, 'comparing facts failed');
    }
    await wait(FACTS_INTERVAL_MS, undefined, { signal, ref: false }).catch(() => {
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

  /** Counts passages that were written. A slice that wrote none may have removed some. */
  async after(passages: number): Promise<void> {
    const { database } = this.#runtime;
    this.#changedChunks += Math.max(1, passages);
    if (this.#changedChunks < (await this.#threshold())) return;
    this.#changedChunks = 0;
    // Without a vacuum, a search checks every posting outside the index and takes twice as long.
    await vacuum(database, SEARCH_TABLES);
  }

  async #threshold(): Promise<number> {
    const isBusy = await hasUnfinishedDocuments(this.#runtime.database.kysely);
    return isBusy ? CHUNKS_BETWEEN_VACUUMS : CHUNKS_WHEN_IDLE;
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
