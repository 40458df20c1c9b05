import { disableTelemetry, useCompileCache } from '../../core/process/compile-cache.ts';

/** `npm run parley -- …` */
disableTelemetry(process.env);
useCompileCache(process.env);
// What is imported before that is compiled at every start.
const { runCommandLine } = await import('./run-command-line.ts');
await runCommandLine(process.env, {
  startIngest: async (runtime) => (await import('../../workers/ingest/worker.ts')).runIngestWorker(runtime),
});
