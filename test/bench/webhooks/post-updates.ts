import { join } from 'node:path';
import { z } from 'zod';
import { BenchError } from '../bench-error.ts';
import { startProcess } from '../http/managed-process.ts';
import type { WebhookTarget } from './webhook-target.ts';

const quantiles = z.object({ p50: z.number().nullable(), p99: z.number().nullable() });

/** The measurements with a number of outstanding updates. Latencies in milliseconds, processor time in microseconds. */
const levelSchema = z.object({
  c: z.number(),
  evps: z.number(),
  reply: quantiles,
  ack: quantiles,
  lost: z.number(),
  cpuUsPerEvent: z.number().nullable(),
});

export type Level = z.output<typeof levelSchema>;

interface Load {
  readonly scripts: string;
  readonly apiPort: number;
  readonly outstanding: readonly number[];
  /** The servers that the target uses; their load is no disturbance. */
  readonly servers: readonly number[];
  /** Whether each update is of a new chat; otherwise each place keeps its own. */
  readonly newChats: boolean;
  /** The number of windows, of which the one with the least other load counts. */
  readonly tries?: number;
}

const seconds = 5;

/** The next update of a place goes out when the reply to its last one has arrived at the platform. */
export async function postUpdates(
  target: WebhookTarget,
  { scripts, apiPort, outstanding, servers, newChats, tries = 3 }: Load,
): Promise<readonly Level[]> {
  const load = await startProcess({
    program: process.execPath,
    args: [
      join(scripts, 'webhook-load.mjs'),
      // A secret may begin with a dash.
      ...['--platform', 'telegram', '--target', target.address, `--secret=${target.secret}`],
      ...(newChats ? ['--fresh'] : []),
      ...['--api-port', `${apiPort}`, '-c', outstanding.join(','), '--secs', `${seconds}`],
      ...['--tries', `${tries}`, '--pid', `${target.pid}`, '--also', servers.join(',')],
    ],
    core: 1,
  });
  await load.ended;
  const lines = load
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'));
  const levels = z.array(levelSchema).safeParse(lines.map((line) => JSON.parse(line)));
  if (levels.success && levels.data.length === outstanding.length) return levels.data;
  throw new BenchError(`${target.name}: the load script said ${load.output()}`);
}
