import { keepCompiled } from '../../core/keep-compiled.ts';

/** `npm run parley -- …` */
keepCompiled(process.env);
// What is imported before that is compiled at every start.
const { runCommandLine } = await import('./run-command-line.ts');
await runCommandLine(process.env);
