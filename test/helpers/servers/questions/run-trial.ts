import { openTriedSet } from '../../../../core/changes/trial-runs.ts';
import { runTestSlice } from '../../../../core/evaluation/run-slice.ts';
import { ingestNext } from '../../../../core/knowledge/indexing/ingest-document.ts';
import type { Runtime } from '../../../../core/runtime/runtime.ts';

/** Indexes all documents that wait, as the worker does. */
export async function indexWaiting(runtime: Runtime): Promise<void> {
  const dependencies = { ...runtime, database: runtime.database.kysely };
  const next = { processId: 'test', mostOfWorkspace: 4 };
  const slice = { passages: Number.POSITIVE_INFINITY, ms: Number.POSITIVE_INFINITY };
  while ((await ingestNext(dependencies, next, slice)) !== null);
}

/** Does one slice of a run, as the worker does. Returns the number of the next one, or null. */
export function runTrialSlice(
  runtime: Runtime,
  runId: string,
  signal = new AbortController().signal,
): Promise<number | null> {
  const stores = { database: runtime.database.kysely, corpora: runtime.corpora };
  const asking = { ...runtime, openTrial: openTriedSet.bind(null, stores) };
  return runTestSlice(asking, { runId, signal });
}

/** Asks all questions of a run. */
export async function runTrial(runtime: Runtime, runId: string): Promise<void> {
  while ((await runTrialSlice(runtime, runId)) !== null);
}
