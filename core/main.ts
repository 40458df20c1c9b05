import { keepCompiled } from './keep-compiled.ts';

/** `node core/main.ts server workers`, or `node core/main.ts workers ingest` for some workers only. */
keepCompiled(process.env);
// What is imported before that is compiled at every start.
const { startServices } = await import('./start-services.ts');
await startServices(process.argv.slice(2), process.env);
