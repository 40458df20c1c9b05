import { keepCompiled } from '../../core/keep-compiled.ts';

/** `npm run parley -- …`: the exit code is 0 done, 1 refused or failed, 2 wrong usage, 130 stopped by the person. */
keepCompiled(process.env);
// What is imported before that is compiled at every start.
const { runCommandLine } = await import('./run-command-line.ts');
await runCommandLine(process.env);
