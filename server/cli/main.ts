#!/usr/bin/env -S node --disable-warning=ExperimentalWarning
import { disableTelemetry, useCompileCache } from '../../core/runtime/compile-cache.ts';

/** The entry point of `npm run parley -- …` and of `npx parley …`. */
disableTelemetry(process.env);
useCompileCache(process.env);
// Imported dynamically, because static imports would be compiled at every start, before the compile cache is
// on.
const { runCommandLine } = await import('./run-command-line.ts');
await runCommandLine(process.env, {
  startIngest: async (runtime) => (await import('../../workers/ingest/worker.ts')).runIngestWorker(runtime),
});
