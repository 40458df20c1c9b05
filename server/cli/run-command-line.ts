import { buildProgram } from './build-program.ts';
import { carryOut } from './carry-out.ts';
import { Output } from './output/output.ts';
import { tolerateClosedReader } from './output/tolerate-closed-reader.ts';
import { reportError } from './report-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What the command line of this process says, until the person stops it; sets the exit code. */
export async function runCommandLine(environment: Environment): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) tolerateClosedReader(stream);
  const signal = onceStopped();
  const program = buildProgram({
    carryOut: (options, work) => carryOut(options, work, { environment, signal }),
    tell: (options, say) => say(new Output(process, { json: options.json === true })),
  });
  try {
    await program.parseAsync();
  } catch (error) {
    process.exitCode = reportError(error, (text) => process.stderr.write(text));
  }
}

function onceStopped(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping.signal.aborted) process.exit(130);
      process.stderr.write('Stopping after what is at work; once more to stop at once.\n');
      stopping.abort();
    });
  }
  return stopping.signal;
}
