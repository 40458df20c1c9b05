import { join } from 'node:path';
import { z } from 'zod';
import { BenchError } from '../bench-error.ts';
import { startProcess } from './managed-process.ts';
import type { Target } from './target.ts';

const quantiles = z.object({
  p50: z.number().nullable(),
  p95: z.number().nullable(),
  p99: z.number().nullable(),
});

/** Latencies in milliseconds, processor time in microseconds. */
const resultSchema = z.object({
  ...quantiles.shape,
  rps: z.number(),
  cpuUsPerReq: z.number().nullable(),
  alsoCpuUsPerReq: z.number().optional(),
  rssMb: z.number(),
  otherPct: z.number(),
  codes: z.record(z.string(), z.number()),
  ttft: quantiles.optional(),
  gap: quantiles.optional(),
});

export type LoadResult = z.output<typeof resultSchema>;

interface Load {
  readonly scripts: string;
  readonly connections: number;
  readonly stream: boolean;
  /** Processes whose time is measured beside the server's: the database. */
  readonly also: readonly number[];
}

const seconds = 5;
const warmUpSeconds = 3;
/** The window is measured again if another process keeps the machine busy. */
const tries = 3;

/**
 * Sends requests without a pause over the given number of connections. Throws a BenchError if any answer is not 200.
 */
export async function runLoad(
  target: Target,
  { scripts, connections, stream, also }: Load,
): Promise<LoadResult> {
  const options = [
    ...['--url', `${target.address}/v1/query${stream ? '/stream' : ''}`, '--body', target.body],
    ...['-c', `${connections}`, '--secs', `${seconds}`, '--warm', `${warmUpSeconds}`, '--tries', `${tries}`],
    ...['--pid', `${target.pid}`, ...(also.length === 0 ? [] : ['--also', also.join(',')])],
    ...target.headers.flatMap((header) => ['-H', header]),
    ...(stream ? ['--sse', '--token', '"token"'] : []),
  ];
  const load = await startProcess({
    program: process.execPath,
    args: [join(scripts, 'load.mjs'), ...options],
    core: 1,
  });
  await load.ended;
  const result = resultSchema.safeParse(JSON.parse(load.output() || 'null'));
  if (!result.success) throw new BenchError(`${target.name}: the load script said ${load.output()}`);
  const { codes } = result.data;
  if (Object.keys(codes).some((code) => code !== '200')) {
    throw new BenchError(`${target.name}: not every answer was 200 (${JSON.stringify(codes)})`);
  }
  return result.data;
}
