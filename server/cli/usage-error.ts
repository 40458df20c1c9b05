import type { CommanderError } from '@commander-js/extra-typings';
import { CommandError } from './command-error.ts';

/** What the parser says of a wrong command line, in the words and with the exit code of ours. */
export function usageError(error: CommanderError, command: string): CommandError {
  const lines = error.message
    .replace(/^error: /, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return new CommandError(lines.join(' '), {
    code: 'wrong_usage',
    hint: `See what it takes: npm run parley -- ${command} --help`.replace(/ {2,}/g, ' '),
    exitCode: 2,
  });
}
