import { createInterface } from 'node:readline/promises';
import { CommandError } from './command-error.ts';

/** Asks on the terminal; throws a CommandError where the answer is not yes, or nobody can be asked. */
export async function confirm(question: string, signal: AbortSignal): Promise<void> {
  if (!process.stdin.isTTY) {
    throw new CommandError('This cannot be undone, and there is no terminal to ask on.', {
      code: 'confirmation_needed',
      hint: 'Add --yes to do it without asking.',
      exitCode: 2,
    });
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${question} [y/N] `, { signal }).finally(() => terminal.close());
  if (!/^\s*y(es)?\s*$/i.test(answer)) {
    throw new CommandError('Left as it is.', { code: 'not_confirmed' });
  }
}
