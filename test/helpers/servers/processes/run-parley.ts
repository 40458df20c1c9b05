import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { childEnvironment } from '../../child-environment.ts';
import { nodeArguments } from '../../node-arguments.ts';

const main = resolve(import.meta.dirname, '../../../../server/cli/main.ts');

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** The standard input; empty if absent. */
  readonly input?: string;
}

/** Runs the command line as a process of its own to its end. */
export function runParley(
  args: readonly string[],
  { environment, cwd, input = '' }: RunOptions,
): Promise<CommandResult> {
  const child = spawn(process.execPath, [...nodeArguments, main, ...args], {
    cwd,
    env: { ...childEnvironment(), LOG_LEVEL: 'silent', ...environment },
    stdio: [input === '' ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdin?.end(input);
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  return new Promise((done, failed) => {
    child.once('error', failed);
    child.once('close', (code) => done({ code, stdout, stderr }));
  });
}
