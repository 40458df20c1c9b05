import { keepCompiled } from '../../core/keep-compiled.ts';
import { reportNothing } from '../../core/report-nothing.ts';

/** `npm run parley -- …` */
reportNothing(process.env);
keepCompiled(process.env);
// What is imported before that is compiled at every start.
const { runCommandLine } = await import('./run-command-line.ts');
await runCommandLine(process.env, {
  startIngest: async (runtime) => (await import('../../workers/ingest.ts')).ingest(runtime),
});
