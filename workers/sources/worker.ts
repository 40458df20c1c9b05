import { stopWithGrace } from '../../core/base/async.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { watchFolders } from '../../core/sources/folder/watch-folders.ts';
import { releaseRuns, requeueRuns, wakeRun } from '../../core/sources/runs/run-queue.ts';
import { runSlice } from '../../core/sources/runs/run-slice.ts';
import { SiteSessions } from '../../core/sources/website/requests/site-session.ts';
import { createDeliveryScheduler } from '../../core/webhooks/event-transaction.ts';

/**
 * The number of sources that a process reads at a time, because they mostly wait for others. A workspace gets at most
 * two, so one is free for another workspace.
 */
const concurrency = 3;

/**
 * Starts the worker that reads sources. The returned function stops it after the current items. On start it queues
 * the runs that an earlier process left unfinished: the rows decide which.
 */
export async function runSourceWorker(runtime: Runtime): Promise<() => Promise<void>> {
  const { clock, config, database, documents, log, metrics, queue, installation, sources } = runtime;
  const stopping = new AbortController();
  const dependencies = {
    ...sources.tools,
    ...{ database: database.kysely, documents, log, metrics, kinds: sources.kinds },
    secretBox: installation.secretBox,
    sessions: new SiteSessions(),
    scheduleDeliveries: createDeliveryScheduler(queue, log),
    wake: (run: Parameters<typeof wakeRun>[1], options?: Parameters<typeof wakeRun>[2]) =>
      wakeRun({ queue, log }, run, options),
  };
  // No other process can hold them.
  if (database.engine === 'embedded') await releaseRuns(database.kysely);
  const stop = await queue.work('source', {
    concurrency,
    run: (job) => runSlice(dependencies, job, stopping.signal),
    async givenUp({ runId }, err) {
      log.warn({ err, run: runId }, 'source run interrupted');
    },
  });
  await requeueRuns(database.kysely, clock.now(), { queue, log });
  const allowed = config.SOURCE_FOLDERS;
  const folders = { database: database.kysely, clock, log, queue, allowed };
  const stopWatching = allowed.length === 0 ? async () => {} : watchFolders(folders);
  return async () => {
    await stopWatching();
    // A slice ends after its current item: the next process continues.
    stopping.abort();
    await stopWithGrace(stop, { controller: stopping, seconds: config.SHUTDOWN_SECONDS });
  };
}
