import { Command, InvalidArgumentError } from '@commander-js/extra-typings';

export interface CommandDescription {
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
export function describeCommand(name: string, { summary, about, examples, failure }: CommandDescription) {
  const shown = examples.map(([line, purpose]) => `  # ${purpose}\n  npm run parley -- ${line}`);
  return new Command(name)
    .summary(summary)
    .description(about)
    .option('--json', 'write the result as one JSON document')
    .option('--server <url>', 'work on this server instead of DATA_DIR', httpAddress)
    .addHelpText(
      'after',
      `\nExamples:\n${shown.join('\n')}\n\nExit codes:\n  0  done\n  1  ${failure}\n  2  the command line is wrong`,
    );
}

function httpAddress(value: string): string {
  const url = URL.parse(value);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new InvalidArgumentError('It takes an http(s) address.');
  }
  return value;
}
