import { buildProgram } from './build-program.ts';
import { carryOut } from './carry-out.ts';
import { Output } from './output/output.ts';
import { tolerateClosedReader } from './output/tolerate-closed-reader.ts';
import { reportError } from './report-error.ts';

/** `npm run parley -- …`: the exit code is 0 done, 1 refused or failed, 2 wrong usage, 130 stopped by the person. */
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (stopping.signal.aborted) process.exit(130);
    process.stderr.write('Stopping after what is at work; once more to stop at once.\n');
    stopping.abort();
  });
}
for (const stream of [process.stdout, process.stderr]) tolerateClosedReader(stream);

const program = buildProgram({
  carryOut: (options, work) => carryOut(options, work, { environment: process.env, signal: stopping.signal }),
  tell: (options, say) => say(new Output(process, { json: options.json === true })),
});

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = reportError(error, (text) => process.stderr.write(text));
}
