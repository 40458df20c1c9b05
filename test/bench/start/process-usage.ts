import { readFileSync } from 'node:fs';

export interface ProcessUsage {
  /** The processor time of all its threads so far. */
  readonly processorMs: number;
  /** Resident now. */
  readonly memoryBytes: number;
}

/** Linux counts a hundred ticks a second, whatever its processors do. */
const tickMs = 10;

/** Reads the usage from /proc on Linux; NaN on other systems. */
export function processUsage(pid: number): ProcessUsage {
  if (process.platform !== 'linux') return { processorMs: Number.NaN, memoryBytes: Number.NaN };
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name before it, in brackets, may contain anything.
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN);
  return { processorMs: (user + system) * tickMs, memoryBytes: kilobytes * 1024 };
}
