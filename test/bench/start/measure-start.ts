import { setTimeout as wait } from 'node:timers/promises';
import { startProcess } from '../http/managed-process.ts';
import { processUsage } from './process-usage.ts';

interface Program {
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

export interface MeasuredStart {
  /** From the command to the line that says where it listens. */
  readonly listensMs: number;
  readonly processorMs: number;
  /** When it has had nothing to do for a while. */
  readonly memoryBytes: number;
}

const restMs = 5_000;

/** Starts a server of Node, leaves it alone for five seconds, and stops it. Figures of /proc are NaN where that is not. */
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
    const processorMs = processUsage(server.pid)?.processorMs ?? Number.NaN;
    await wait(restMs);
    return { listensMs, processorMs, memoryBytes: processUsage(server.pid)?.memoryBytes ?? Number.NaN };
  } finally {
    await server.stop();
  }
}
