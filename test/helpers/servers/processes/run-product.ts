import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll } from 'vitest';
import { childEnvironment } from '../../child-environment.ts';
import { nodeArguments } from '../../node-arguments.ts';

const main = resolve(import.meta.dirname, '../../../../main.ts');

export interface RunningProduct {
  readonly address: string;
  /** Everything said on standard output so far. */
  output(): string;
  /** Everything logged so far. */
  errors(): string;
  /** Resolves with the exit code when the process is gone; null after a kill. */
  readonly ended: Promise<number | null>;
  signal(signal: NodeJS.Signals): void;
  /** Sends the signal; resolves as `ended` does. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>;
}

/** Starts the whole product as a process of its own, as `npm start` runs it; ready when it listens. */
export async function runProduct(
  environment: Readonly<Record<string, string>>,
  {
    words = ['server', 'workers'],
    ...options
  }: { readonly uid?: number; readonly words?: readonly string[] } = {},
): Promise<RunningProduct> {
  const child = startProduct(environment, words, options);
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const heard = { output: '', errors: '' };
  child.stderr.on('data', (chunk: Buffer) => {
    heard.errors += chunk.toString();
  });
  const address = await new Promise<string>((found, failed) => {
    child.stdout.on('data', (chunk: Buffer) => {
      heard.output += chunk.toString();
      const match = /listens on (http:\S+)/.exec(heard.output)?.[1];
      if (match !== undefined) found(match);
    });
    child.once('error', failed);
    child.once('exit', () => failed(new Error(`Parley ended at its start: ${heard.errors}`)));
  });
  return {
    address,
    output: () => heard.output,
    errors: () => heard.errors,
    ended,
    signal: (signal) => void child.kill(signal),
    end(signal) {
      child.kill(signal);
      return ended;
    },
  };
}

/** Starts the process alone, for starts that should fail and those without a server. */
export function startProduct(
  environment: Readonly<Record<string, string>>,
  words: readonly string[] = ['server', 'workers'],
  { uid }: { readonly uid?: number } = {},
): ChildProcessByStdio<null, Readable, Readable> {
  const child = spawn(process.execPath, [...nodeArguments, main, ...words], {
    env: { ...childEnvironment(), PORT: '0', LOG_LEVEL: 'error', DRAIN_SECONDS: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid !== undefined && { uid, gid: uid }),
  });
  afterAll(() => {
    child.kill('SIGKILL');
  });
  return child;
}
