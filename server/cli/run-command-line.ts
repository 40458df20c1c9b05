import { CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { StartError } from '../../core/base/errors.ts';
import { readConfig } from '../../core/config/config.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import type { CommandTask, CommonOptions } from './command.ts';
import { CommandError } from './command-error.ts';
import { ignoreClosedPipe, Output, type Streams, stripControlCharacters } from './output.ts';
import { buildProgram } from './program.ts';
import { openOperatorApi } from './transports/open-api.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Runs the command line of this process until it finishes or the user stops it. */
export async function runCommandLine(environment: Environment, rooms: Rooms): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) ignoreClosedPipe(stream);
  const context = { environment, streams: process, signal: createStopSignal(), rooms };
  process.exitCode = await runCommand(process.argv.slice(2), context);
}

function createStopSignal(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping.signal.aborted) process.exit(130);
      process.stderr.write('Stopping after the current step. Press Ctrl-C again to stop immediately.\n');
      stopping.abort();
    });
  }
  return stopping.signal;
}

/**
 * Runs the command in the arguments. Returns the exit code: 0 success, 1 failure, 2 invalid usage, 130
 * stopped by the user.
 */
export async function runCommand(args: readonly string[], context: ProcessContext): Promise<number> {
  const { stdout, stderr } = context.streams;
  const program = buildProgram({
    execute: (options, work) => runWithApi(options, work, context),
    run: (options, work) =>
      work({
        output: new Output(context.streams, { json: options.json === true }),
        signal: context.signal,
        environment: context.environment,
      }),
    print: (options, say) => say(new Output(context.streams, { json: options.json === true })),
    help: (text) => stdout.write(text),
  });
  try {
    await program.parseAsync(placeGlobalFlags(program, args), { from: 'user' });
    return 0;
  } catch (error) {
    return printError(error, (text) => stderr.write(text));
  }
}

/** The functions of other folders that the entry point of the process injects. */
export interface Rooms {
  /** Indexes documents until the returned function is called. */
  readonly startIngest: (runtime: Runtime) => Promise<() => Promise<void>>;
}

export interface ProcessContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly streams: Streams;
  /** Aborts when the user stops the command. */
  readonly signal: AbortSignal;
  readonly rooms: Rooms;
}

/** Opens the API, runs the task of a command, and closes everything. */
export async function runWithApi(
  options: CommonOptions,
  work: CommandTask,
  context: ProcessContext,
): Promise<void> {
  const { environment, streams, signal, rooms } = context;
  const output = new Output(streams, { json: options.json === true });
  const config = readConfig(environment);
  const api = await openOperatorApi(config, {
    server: options.server,
    signal,
    startIngest: work.indexing === true ? rooms.startIngest : null,
    onNewToken: (token) =>
      output.note(`The operator's token was created: ${token} (stored in ${config.DATA_DIR}/admin-token)`),
  });
  try {
    signal.throwIfAborted();
    await work.run({ api, output, signal, environment });
  } finally {
    await api.close();
  }
}

/** Prints an error for the user and returns the exit code. Help and version have already been printed. */
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
    write(
      'parley: Stopped. (stopped)\nCompleted steps are kept. Check them with: npm run parley -- document list\n',
    );
    return 130;
  }
  write(`parley: ${error instanceof Error ? error.stack : String(error)} (internal_error)\n`);
  return 1;
}

/** Options that may stand anywhere on the line, and whether a value follows. */
const globalFlags: Readonly<Record<string, boolean>> = {
  '--json': false,
  '--server': true,
  '--workspace': true,
};

/**
 * Moves `--json`, `--server` and `--workspace` behind the command that they stand before, where its parser looks for them:
 * `--json key list` becomes `key list --json`.
 */
export function placeGlobalFlags(program: CommandUnknownOpts, args: readonly string[]): string[] {
  const path: string[] = [];
  const flags: string[] = [];
  let command = program;
  let at = 0;
  for (let word = args[at]; word !== undefined && command.commands.length > 0; word = args[at]) {
    const [name = ''] = word.split('=', 1);
    const takesValue = Object.hasOwn(globalFlags, name) ? globalFlags[name] : undefined;
    const child = command.commands.find((known) => known.name() === word);
    if (takesValue !== undefined) {
      const length = takesValue && !word.includes('=') ? 2 : 1;
      flags.push(...args.slice(at, at + length));
      at += length;
    } else if (child !== undefined) {
      path.push(word);
      command = child;
      at += 1;
    } else break;
  }
  return [...path, ...flags, ...args.slice(at)];
}
