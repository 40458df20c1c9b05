import { CommanderError } from '@commander-js/extra-typings';
import { readConfig } from '../../core/config.ts';
import { StartError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { CommandTask, CommonOptions } from './command.ts';
import { CommandError } from './command-error.ts';
import { ignoreClosedPipe, Output, type Streams, stripControlCharacters } from './output.ts';
import { buildProgram } from './program.ts';
import { openOperatorApi } from './transports/open-api.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Does what the command line of this process says, until the person stops it. */
export async function runCommandLine(environment: Environment, rooms: Rooms): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) ignoreClosedPipe(stream);
  const surroundings = { environment, streams: process, signal: createStopSignal(), rooms };
  process.exitCode = await runCommand(process.argv.slice(2), surroundings);
}

function createStopSignal(): AbortSignal {
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

/** Does what the arguments say. Gives the exit code: 0 done, 1 refused or failed, 2 wrong usage, 130 stopped by the person. */
export async function runCommand(args: readonly string[], surroundings: ProcessContext): Promise<number> {
  const { stdout, stderr } = surroundings.streams;
  const program = buildProgram({
    execute: (options, work) => runWithApi(options, work, surroundings),
    print: (options, say) => say(new Output(surroundings.streams, { json: options.json === true })),
    help: (text) => stdout.write(text),
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    return printError(error, (text) => stderr.write(text));
  }
}

/** What the root of the process imports from other rooms. */
export interface Rooms {
  /** Indexes documents until the returned function is called. */
  readonly startIngest: (runtime: Runtime) => Promise<() => Promise<void>>;
}

export interface ProcessContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly streams: Streams;
  /** Aborts when the person stops the command. */
  readonly signal: AbortSignal;
  readonly rooms: Rooms;
}

/** Opens the API, does a command's work, and closes everything again. */
export async function runWithApi(
  options: CommonOptions,
  work: CommandTask,
  surroundings: ProcessContext,
): Promise<void> {
  const { environment, streams, signal, rooms } = surroundings;
  const output = new Output(streams, { json: options.json === true });
  const config = readConfig(environment);
  const api = await openOperatorApi(config, {
    server: options.server,
    signal,
    startIngest: work.indexing === true ? rooms.startIngest : null,
    onNewToken: (token) =>
      output.note(`The operator's token was made: ${token} (kept in ${config.DATA_DIR}/admin-token)`),
  });
  try {
    signal.throwIfAborted();
    await work.run({ api, output, signal, environment });
  } finally {
    await api.close();
  }
}

/** Tells the person what went wrong and gives the exit code for it. Help and version were written by then. */
export function printError(error: unknown, write: (text: string) => void): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof CommandError) {
    write(`parley: ${stripControlCharacters(error.message)} (${error.code})\n`);
    if (error.hint !== undefined) write(`${stripControlCharacters(error.hint)}\n`);
    return error.exitCode;
  }
  if (error instanceof StartError) {
    write(`parley: ${error.message} (cannot_start)\n`);
    return 1;
  }
  if (error instanceof Error && error.name === 'AbortError') {
    write('parley: Stopped. (stopped)\nWhat was done by then stays: npm run parley -- document list\n');
    return 130;
  }
  write(`parley: ${error instanceof Error ? error.stack : String(error)} (internal_error)\n`);
  return 1;
}
