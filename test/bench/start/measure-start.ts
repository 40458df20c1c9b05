import { setTimeout as wait } from 'node:timers/promises';
import { startProcess } from '../http/managed-process.ts';
import { type ProcessUsage, processUsage } from './process-usage.ts';

export interface Program {
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** `processorMs` until it listens, `memoryBytes` when it has had nothing to do for a while. */
export interface MeasuredStart extends ProcessUsage {
  /** From the command to the line that says where it listens. */
  readonly listensMs: number;
}

const restMs = 5_000;

/** Starts a server of Node, leaves it alone for five seconds, and stops it. */
export async function measureStart({ args, environment = {} }: Program): Promise<MeasuredStart> {
  const begun = performance.now();
  const server = await startProcess({
    program: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', ...args],
    environment,
    ready: /listens on http/,
  });
  const listensMs = performance.now() - begun;
  try {
    const { processorMs } = processUsage(server.pid);
    await wait(restMs);
    const { memoryBytes } = processUsage(server.pid);
    return { listensMs, processorMs, memoryBytes };
  } finally {
    await server.stop();
  }
}
