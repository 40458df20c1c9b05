import { Command, InvalidArgumentError } from '@commander-js/extra-typings';
import type { Output } from './output.ts';
import type { OperatorApi } from './transports/operator-api.ts';

/** What a command works with. */
export interface CommandSession {
  readonly api: OperatorApi;
  readonly output: Output;
  /** Aborts when the person stops the command. */
  readonly signal: AbortSignal;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The options that every command has. */
export interface CommonOptions {
  readonly json?: true | undefined;
  readonly server?: string | undefined;
}

export interface CommandTask {
  /** Whether documents are to be indexed meanwhile, where this process is the whole installation. */
  readonly indexing?: boolean;
  readonly run: (session: CommandSession) => Promise<void>;
}

/** Carries out the commands: opens the API, does the work, and closes everything again. */
export interface CommandLine {
  execute(options: CommonOptions, work: CommandTask): Promise<void>;
  /** For what can be told without the API. */
  print(options: CommonOptions, say: (output: Output) => void): void;
  /** Writes the help, or the version. */
  help(text: string): void;
}

interface CommandDescription {
  /** One line, for the list of commands. */
  readonly summary: string;
  /** What it does and what to know about it, in sentences. */
  readonly about: string;
  /** Whole command lines that work, each with what it is for. */
  readonly examples: readonly (readonly [commandLine: string, purpose: string])[];
  /** What exit code 1 means here. */
  readonly failure: string;
}

/** A command with its help and the options that all commands have. */
export function createCommand(name: string, { summary, about, examples, failure }: CommandDescription) {
  const shown = examples.map(([line, purpose]) => `  # ${purpose}\n  npm run parley -- ${line}`);
  return new Command(name)
    .summary(summary)
    .description(about)
    .option('--json', 'write the result as one JSON document')
    .option('--server <url>', 'work on this server instead of DATA_DIR', parseHttpAddress)
    .addHelpText(
      'after',
      `\nExamples:\n${shown.join('\n')}\n\nExit codes:\n  0  done\n  1  ${failure}\n  2  the command line is wrong`,
    );
}

function parseHttpAddress(value: string): string {
  const url = URL.parse(value);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new InvalidArgumentError('It takes an http(s) address.');
  }
  return value;
}

/** Reads a whole number from the command line. */
export function parseWholeNumber(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('It takes a whole number.');
  return Number(value);
}

/** Adds tags of the command line, one or several with commas, to those read so far. */
export function parseTags(value: string, before: readonly string[] = []): string[] {
  return [...before, ...value.split(',').map((tag) => tag.trim())].filter((tag) => tag !== '');
}
