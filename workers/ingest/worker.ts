import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { stopWithGrace } from '../../core/async.ts';
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

/**
 * Documents in work at once. Three are enough that the embedder never waits for the database; a workspace gets no more, so
 * that one slot is always free for another workspace.
 */
const concurrency = 4;
/** A slot rests so long after it put a document into its line: a long queue moves into memory slowly. */
const restMs = 200;

const failure = {
  code: 'indexing_failed',
  reason: 'Indexing failed on our side, several times. Add the document again; the log has the cause.',
};

/**
 * Indexes documents until the returned function is called. Begins with those that an earlier process left undone:
 * the rows say what there is to do, whatever became of their jobs.
 */
export async function runIngestWorker(runtime: Runtime): Promise<() => Promise<void>> {
  const { config, database, queue, log, clock } = runtime;
  const ending = new AbortController();
  const dependencies = { ...runtime, database: database.kysely, signal: ending.signal };
  const upkeep = new IndexMaintenance(runtime);
  const turns = new WorkspaceTurns(concurrency - 1);
  await rebuildIndex(runtime);
  /** A database that is out of order costs no more than one of the tries. */
  const onceItAnswers = async <Done>(doing: Promise<Done>): Promise<Done> => {
    try {
      return await doing;
    } catch (error) {
      if (isDatabaseFault(error))
        await retryUntilDatabase(() => sql`select 1`.execute(database.kysely), ending.signal);
      throw error;
    }
  };
  const stop = await queue.work('ingest', {
    concurrency,
    async run({ documentId }) {
      const workspaceId = await onceItAnswers(findWorkspace(dependencies, documentId));
      if (workspaceId === null) return;
      if (!turns.enter(workspaceId, documentId)) return rest(ending.signal);
      try {
        const startedAt = performance.now();
        const outcome = await onceItAnswers(ingestDocument(dependencies, documentId));
        if (outcome === 'nothing-to-do') return;
        log.debug(
          { document: documentId, outcome, ms: Math.round(performance.now() - startedAt) },
          'document done',
        );
        await upkeep.after(documentId);
      } finally {
        await wakeNext(runtime, turns.leave(workspaceId));
      }
    },
    async givenUp({ documentId }) {
      await retryUntilDatabase(() => recordFinalFailure(dependencies, documentId), ending.signal);
    },
  });
  await requeueDocuments(runtime, { statuses: ['queued', 'indexing', 'deleted'], before: clock.now() });
  return () => stopWithGrace(stop, { ending, seconds: config.SHUTDOWN_SECONDS });
}

async function recordFinalFailure(dependencies: IngestDependencies, documentId: string): Promise<void> {
  const row = await dependencies.database
    .selectFrom('document')
    .select(['number', 'wanted_revision as wantedRevision'])
    .where('id', '=', documentId)
    .executeTakeFirst();
  if (row !== undefined) await recordIngestFailure(dependencies, row, failure);
}

/** Null where the document is gone. */
async function findWorkspace({ database }: IngestDependencies, documentId: string): Promise<string | null> {
  const row = await database
    .selectFrom('document')
    .select('workspace_id as workspaceId')
    .where('id', '=', documentId)
    .executeTakeFirst();
  return row?.workspaceId ?? null;
}

async function rest(signal: AbortSignal): Promise<void> {
  await wait(restMs, undefined, { signal }).catch(() => {
    // Cut short: the worker ends.
  });
}

/** Under an id of its own, since the job that put the document into the line may still be ending. */
async function wakeNext(
  { queue, log }: Pick<Runtime, 'queue' | 'log'>,
  documentId: string | undefined,
): Promise<void> {
  if (documentId === undefined) return;
  try {
    await queue.add('ingest', `${documentId}-${randomUUID()}`, { documentId }, { place: 1 });
  } catch (err) {
    log.warn({ err, document: documentId }, 'waking a document failed; housekeeping retries');
  }
}

/** After so many new chunks the tables are swept, even while more documents wait. */
const chunksBetween = 1_000;
/** With nothing left to index it is worth it for less. */
const chunksWhenIdle = 50;

/** Keeps the tables in shape while documents come in. */
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
    // Else a search looks behind the index for every posting, and takes twice as long.
    await vacuum(database, SEARCH_TABLES);
  }

  async #threshold(): Promise<number> {
    const waiting = await this.#runtime.database.kysely
      .selectFrom('document')
      .select('id')
      .where('status', 'in', ['queued', 'indexing', 'deleted'])
      .limit(1)
      .executeTakeFirst();
    return waiting === undefined ? chunksWhenIdle : chunksBetween;
  }
}

/** What a search reads. */
export const SEARCH_TABLES: readonly string[] = [
  'posting',
  'term_count',
  'chunk',
  'chunk_vector',
  'document',
  'scope',
];
