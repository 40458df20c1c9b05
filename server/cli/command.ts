import { Command, InvalidArgumentError } from '@commander-js/extra-typings';
import type { Output } from './output.ts';
import type { OperatorApi } from './transports/operator-api.ts';

/** The API, the output and the environment of a command. */
export interface CommandSession {
  readonly api: OperatorApi;
  readonly output: Output;
  /** Aborts when the user stops the command. */
  readonly signal: AbortSignal;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The options of every command. */
export interface CommonOptions {
  readonly json?: true | undefined;
  readonly server?: string | undefined;
}

export interface CommandTask {
  /** Whether documents are indexed while the command runs, if this process is the whole installation. */
  readonly indexing?: boolean;
  readonly run: (session: CommandSession) => Promise<void>;
}

/** The output and the environment of a command that needs no API. */
export type LocalSession = Pick<CommandSession, 'output' | 'signal' | 'environment'>;

/** Runs commands: opens the API, runs the task, and closes everything. */
export interface CommandLine {
  execute(options: CommonOptions, work: CommandTask): Promise<void>;
  /** Runs a task that does not need the API. */
  run(options: CommonOptions, work: (session: LocalSession) => Promise<void>): Promise<void>;
  /** Prints output that does not need the API. */
  print(options: CommonOptions, say: (output: Output) => void): void;
  /** Prints the help or the version. */
  help(text: string): void;
}

interface CommandDescription {
  /** One line for the list of commands. */
  readonly summary: string;
  /** The command's effect and what users must know, in full sentences. */
  readonly about: string;
  /** Complete command lines that work, each with its purpose. */
  readonly examples: readonly (readonly [commandLine: string, purpose: string])[];
  /** The meaning of exit code 1 for this command. */
  readonly failure: string;
}

/** Creates a command with its help text and the options of every command. */
export function createCommand(name: string, { summary, about, examples, failure }: CommandDescription) {
  const shown = examples.map(([line, purpose]) => `  # ${purpose}\n  npm run parley -- ${line}`);
  return new Command(name)
    .summary(summary)
    .description(about)
    .option('--json', 'print the result as one JSON document')
    .option('--server <url>', 'use this server instead of DATA_DIR', parseHttpAddress)
    .addHelpText(
      'after',
      `\nExamples:\n${shown.join('\n')}\n\nExit codes:\n  0  success\n  1  ${failure}\n  2  the command line is invalid`,
    );
}

function parseHttpAddress(value: string): string {
  const url = URL.parse(value);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new InvalidArgumentError('Give an http or https URL.');
  }
  return value;
}

/** Parses a whole number on the command line. Throws an InvalidArgumentError. */
export function parseWholeNumber(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('Give a whole number.');
  return Number(value);
}

/** Adds one or more comma-separated tags of the command line to the tags parsed so far. */
export function parseTags(value: string, before: readonly string[] = []): string[] {
  return [...before, ...value.split(',').map((tag) => tag.trim())].filter((tag) => tag !== '');
}
