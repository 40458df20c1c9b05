import { disableTelemetry, returnFreedMemory, useCompileCache } from './core/runtime/compile-cache.ts';

/**
 * Runs the named services and workers: `node main.ts server workers`, or `node main.ts workers ingest` for some
 * workers only. With `--watch`, the dashboard is built again whenever one of its files changes: `npm run dev`.
 */
returnFreedMemory(process);
disableTelemetry(process.env);
useCompileCache(process.env);
// Dynamic imports from here on: the compile cache does not cover modules that are loaded before this line.
const words = process.argv.slice(2).filter((word) => word !== '--watch');
const isWatched = process.argv.includes('--watch');
const { openStartingPorts } = await import('./core/health/starting-ports.ts');
const ports = await openStartingPorts(words, process.env);
const { startServices } = await import('./core/runtime/start-services.ts');
await startServices(words, process.env, {
  ports,
  connectors: () => import('./connectors/registry.ts'),
  openSocketTools: async () => (await import('./workers/answer/live-answer.ts')).openSocketTools,
  services: {
    server: async () => {
      const { start, startWatched } = await import('./server/main.ts');
      return isWatched ? startWatched : start;
    },
    workers: async () => (await import('./workers/main.ts')).start,
  },
});
