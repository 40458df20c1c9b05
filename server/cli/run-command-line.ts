import type { Rooms } from './carry-out.ts';
import { doCommand } from './do-command.ts';
import { tolerateClosedReader } from './output/tolerate-closed-reader.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Does what the command line of this process says, until the person stops it. */
export async function runCommandLine(environment: Environment, rooms: Rooms): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) tolerateClosedReader(stream);
  const surroundings = { environment, streams: process, signal: onceStopped(), rooms };
  process.exitCode = await doCommand(process.argv.slice(2), surroundings);
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
