import { CommanderError } from '@commander-js/extra-typings';
import { StartError } from '../../core/start-error.ts';
import { CommandError } from './command-error.ts';
import { plainText } from './output/plain-text.ts';

/** Tells the person what went wrong and gives the exit code for it. Help and version were written by then. */
export function reportError(error: unknown, write: (text: string) => void): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof CommandError) {
    write(`parley: ${plainText(error.message)} (${error.code})\n`);
    if (error.hint !== undefined) write(`${plainText(error.hint)}\n`);
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
