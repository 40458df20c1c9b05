import type { CommanderError } from '@commander-js/extra-typings';
import { CommandError } from './command-error.ts';

/** What the parser says of a wrong command line, in the words and with the exit code of ours. */
export function usageError(error: CommanderError, command: string): CommandError {
  return new CommandError(error.message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' '), {
    code: 'wrong_usage',
    hint: `See what it takes: npm run parley -- ${command} --help`.replace(/ {2,}/g, ' '),
    exitCode: 2,
  });
}
