import { setTimeout as wait } from 'node:timers/promises';
import { startProcess } from '../http/managed-process.ts';
import { type ProcessUsage, processUsage } from './process-usage.ts';

export interface Program {
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Opens the page of a server that listens at `address`; resolves once a person can use it. */
  readonly openPage?: (address: string) => Promise<void>;
}

/** `processorMs` until it listens, `memoryBytes` when it has been idle for a while. */
export interface MeasuredStart extends ProcessUsage {
  /** The time from the command to the line that names its address. */
  readonly listensMs: number;
  /** The time from the command to a page that a person can use; NaN without a page. */
  readonly pageMs: number;
}

const restMs = 5_000;

/** Starts a server of Node, leaves it alone for five seconds, and stops it. */
export async function measureStart({ args, environment = {}, openPage }: Program): Promise<MeasuredStart> {
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
    const address = /listens on (http:\S+)/.exec(server.output())?.[1] ?? '';
    await openPage?.(address);
    const pageMs = openPage === undefined ? Number.NaN : performance.now() - begun;
    await wait(restMs);
    const { memoryBytes } = processUsage(server.pid);
    return { listensMs, pageMs, processorMs, memoryBytes };
  } finally {
    await server.stop();
  }
}
