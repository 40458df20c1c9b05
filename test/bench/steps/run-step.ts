import { type ChildProcess, fork } from 'node:child_process';
import { z } from 'zod';
import { BenchError } from '../bench-error.ts';
import type { Step } from './step.ts';

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

const reply = z.union([z.object({ output: z.unknown() }), z.object({ failure: z.string() })]);

/** Runs a step in a process of its own. Throws a BenchError if it fails or takes longer than `minutes`. */
export async function runStep<Input, Output>(
  step: Step<Input, Output>,
  input: Input,
  minutes: number,
): Promise<Output> {
  const child = fork(new URL('./step-process.ts', import.meta.url), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  running.add(child);
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const timeout = setTimeout(
    () => reject(new BenchError(`${step.name}: given up after ${minutes.toFixed(0)} minutes`)),
    minutes * 60_000,
  );
  child.on('message', resolve);
  child.on('error', reject);
  child.on('exit', (code, signal) =>
    reject(new BenchError(`${step.name}: its process ended (${signal ?? code})`)),
  );
  child.send({ name: step.name, input });
  try {
    const answer = reply.parse(await promise);
    if ('failure' in answer) throw new BenchError(`${step.name}: ${answer.failure}`);
    return step.output.parse(answer.output);
  } finally {
    clearTimeout(timeout);
    child.kill('SIGKILL');
    running.delete(child);
  }
}
