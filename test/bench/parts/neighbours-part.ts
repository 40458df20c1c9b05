import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres } from '../../helpers/stores/start-postgres.ts';
import { startRedis } from '../../helpers/stores/start-redis.ts';
import { attempt } from '../attempt.ts';
import type { BenchRun } from '../bench-run.ts';
import { milliseconds } from '../format.ts';
import { measureNeighbours, type Neighbours } from '../neighbours/measure-neighbours.ts';
import { quantile } from '../quantile.ts';
import { table } from '../table.ts';

const header = [
  'storage',
  'beside',
  'asked',
  'reply p50',
  'reply p95',
  'slowest',
  'not within 20 s',
  'told there',
];

/** How long the visitors of a quiet channel wait while another channel of the same process has more than it can send. */
export async function neighboursPart(run: BenchRun): Promise<void> {
  const folder = join(run.folder, 'neighbours');
  // PostgreSQL runs as nobody.
  chmodSync(run.folder, 0o755);
  const postgres = await startPostgres(join(folder, 'postgres'), { durable: true });
  const redis = await startRedis(join(folder, 'redis'));
  const storages: { readonly name: string; readonly environment: Record<string, string> }[] = [
    { name: 'embedded', environment: {} },
  ];
  if (postgres !== null) {
    storages.push({ name: 'PostgreSQL', environment: { DATABASE_URL: await postgres.newDatabase() } });
    if (redis !== null) {
      const environment = { DATABASE_URL: await postgres.newDatabase(), REDIS_URL: redis.url };
      storages.push({ name: 'PostgreSQL and Redis', environment });
    }
  }
  const rows: string[][] = [];
  try {
    for (const { name, environment } of storages) {
      await attempt(run, async () => {
        run.progress(`neighbours: ${name}`);
        const own = { DATA_DIR: join(folder, name), ...environment };
        for await (const measured of measureNeighbours(own)) rows.push(rowOf(name, measured));
      });
    }
  } finally {
    await postgres?.stop();
    await redis?.stop();
  }
  run.print(table('Questions in a quiet channel, beside a busy one in another workspace', header, rows));
}

function rowOf(name: string, { beside, replies, missing, told }: Neighbours): string[] {
  const times = [0.5, 0.95, 1].map((share) => milliseconds(quantile(replies, share)));
  return [name, beside, `${replies.length + missing}`, ...times, `${missing}`, `${told}`];
}
