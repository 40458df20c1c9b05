import { openTriedSet } from '../../core/changes/trial-runs.ts';
import { runTestSlice } from '../../core/evaluation/run-slice.ts';
import { wakeTestRun } from '../../core/evaluation/test-runs.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';

/** One: answers for waiting visitors use the same models and threads. */
const concurrency = 1;

/** Starts the worker that asks the test questions of workspaces. The returned function stops it after the current question. */
export async function runEvaluationWorker(runtime: Runtime): Promise<() => Promise<void>> {
  const { log, queue } = runtime;
  const stopping = new AbortController();
  const stores = { database: runtime.database.kysely, corpora: runtime.corpora };
  const asking: Parameters<typeof runTestSlice>[0] = {
    ...runtime,
    openTrial: (tried, workspace) => openTriedSet(stores, tried, workspace),
  };
  const stop = await queue.work('evaluate', {
    concurrency,
    async run({ runId }) {
      const slice = await runTestSlice(asking, { runId, signal: stopping.signal });
      if (slice !== null) await wakeTestRun(runtime, { id: runId, slice });
    },
    async givenUp({ runId }, err) {
      log.warn({ err, run: runId }, 'a test run failed and is tried again soon');
    },
  });
  return async () => {
    stopping.abort();
    await stop();
  };
}
