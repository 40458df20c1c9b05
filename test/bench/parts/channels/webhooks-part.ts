import { freePort } from '../../../helpers/servers/network/free-port.ts';
import { attempt } from '../../attempt.ts';
import type { BenchRun } from '../../bench-run.ts';
import { table } from '../../table.ts';
import { type Level, postUpdates } from '../../webhooks/post-updates.ts';
import { withTargets } from '../../webhooks/with-targets.ts';

const outstanding = [1, 10, 50];
const headings = [
  'server',
  'outstanding',
  'a second',
  'reply p50',
  'reply p99',
  'taken p50',
  'taken p99',
  'CPU µs',
  'lost',
];

/**
 * Measures from a platform's webhook to the reply, with a constant answer, beside a chat framework that stores
 * nothing and two floors: a queue, which stores nothing but its jobs, and the storage of everything that the product
 * stores. It needs `--load`, the folder of load scripts.
 */
export async function webhooksPart(run: BenchRun): Promise<void> {
  const rows: string[][] = [];
  await withTargets(run, 'webhooks', async ({ scripts, targets, servers }) => {
    for (const { name, kind, start } of targets) {
      await attempt(run, async () => {
        run.progress(`webhooks: ${name}`);
        const apiPort = await freePort();
        const target = await start(apiPort);
        const load = { scripts, apiPort, servers };
        try {
          const levels = await postUpdates(target, { ...load, outstanding, newChats: true });
          rows.push(...levels.map((level) => rowOf(name, level)));
          if (kind !== 'product') return;
          const again = await postUpdates(target, { ...load, outstanding: [10], newChats: false });
          rows.push(...again.map((level) => rowOf(`${name}, the same chats`, level)));
        } finally {
          await target.stop();
        }
      });
    }
  });
  if (rows.length === 0) return;
  run.print(
    table(
      'Telegram updates, of new chats where nothing else is said, from the webhook to the reply at the platform (ms)',
      headings,
      rows,
    ),
  );
}

function rowOf(name: string, { c, evps, reply, ack, cpuUsPerEvent, lost }: Level): string[] {
  const times = [reply.p50, reply.p99, ack.p50, ack.p99].map((ms) => ms?.toFixed(1) ?? '-');
  return [name, `${c}`, evps.toFixed(0), ...times, `${cpuUsPerEvent ?? '-'}`, `${lost}`];
}
