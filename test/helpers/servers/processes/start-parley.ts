import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { nodeArguments } from '../../node-arguments.ts';
import type { CommandResult } from './run-parley.ts';

const main = resolve(import.meta.dirname, '../../../../server/cli/main.ts');

interface StartOptions {
  /** All of it: nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** Starts the command line as a process of its own that can receive signals while it runs. */
export function startParley(
  args: readonly string[],
  { environment, cwd }: StartOptions,
): { readonly child: ChildProcess; readonly ended: Promise<CommandResult> } {
  const child = spawn(process.execPath, [...nodeArguments, main, ...args], {
    cwd,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const told = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (part: string) => {
      told[name] += part;
    });
  }
  const ended = new Promise<CommandResult>((done, failed) =>
    child.once('error', failed).once('close', (code) => done({ code, ...told })),
  );
  return { child, ended };
}
