import { spawn } from 'node:child_process';
import { BenchError } from '../bench-error.ts';

export interface ManagedProcess {
  readonly pid: number;
  /** The standard output so far. */
  output(): string;
  /** Resolves when it has ended by itself. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly folder?: string;
  /** The line on its standard output that says that it is ready; at once if absent. */
  readonly ready?: RegExp;
  /** The processor core it is pinned to, if this machine can do that; absent: all cores. */
  readonly core?: number;
}

const patienceMs = 120_000;

/** Starts a program that ends with the benchmark. Throws a BenchError if it does not become ready. */
export async function startProcess(command: Command): Promise<ManagedProcess> {
  const { core, program, args } = command;
  const [run = program, ...rest] =
    core === undefined ? [program, ...args] : ['taskset', '-c', `${core}`, program, ...args];
  const child = spawn(run, rest, {
    cwd: command.folder,
    env: { PATH: process.env.PATH, ...command.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  let output = '';
  let errors = '';
  const ended = Promise.withResolvers<void>();
  const ready = Promise.withResolvers<void>();
  child.on('error', (error) => ready.reject(new BenchError(`${run}: ${error.message}`)));
  child.on('exit', () => {
    process.off('exit', kill);
    ended.resolve();
    ready.reject(new BenchError(`${program} ${args.join(' ')} ended: ${errors.slice(-600)}`));
  });
  child.stderr.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-4_000);
  });
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    if (command.ready?.test(output)) ready.resolve();
  });
  if (command.ready === undefined) ready.resolve();
  const timer = setTimeout(
    () => ready.reject(new BenchError(`${program} was not ready in two minutes: ${errors}`)),
    patienceMs,
  );
  try {
    await ready.promise;
  } finally {
    clearTimeout(timer);
  }
  return {
    pid: child.pid ?? 0,
    output: () => output,
    ended: ended.promise,
    async stop() {
      child.kill('SIGTERM');
      await ended.promise;
    },
  };
}
