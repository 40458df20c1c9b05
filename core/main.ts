import { keepCompiled } from './keep-compiled.ts';
import { reportNothing } from './report-nothing.ts';

/** `node core/main.ts server workers`, or `node core/main.ts workers ingest` for some workers only. */
reportNothing(process.env);
keepCompiled(process.env);
// What is imported before that is compiled at every start.
const { startServices } = await import('./start-services.ts');
await startServices(process.argv.slice(2), process.env);
