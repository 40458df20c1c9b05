import { keepCompiled } from './core/keep-compiled.ts';
import { reportNothing } from './core/report-nothing.ts';

/** `node main.ts server workers`, or `node main.ts workers ingest` for some workers only. */
reportNothing(process.env);
keepCompiled(process.env);
// Modules loaded before this line are compiled at every start: the rooms are imported after it.
const { startServices } = await import('./core/start-services.ts');
await startServices(process.argv.slice(2), process.env, {
  connectors: () => import('./connectors/registry.ts'),
  openSocketTools: async () => (await import('./core/pipeline/socket-tools.ts')).socketTools,
  services: {
    server: async () => (await import('./server/main.ts')).start,
    workers: async () => (await import('./workers/main.ts')).start,
  },
});
