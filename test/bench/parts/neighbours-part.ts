import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres } from '../../helpers/stores/databases/start-postgres.ts';
import { startRedis } from '../../helpers/stores/databases/start-redis.ts';
import { attempt } from '../attempt.ts';
import type { BenchRun } from '../bench-run.ts';
import { milliseconds } from '../format.ts';
import { measureNeighbours, type Neighbours } from '../neighbours/measure-neighbours.ts';
import { type BesideFlood, measureQuestions } from '../neighbours/measure-questions.ts';
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

const questionHeader = [
  'storage',
  'beside',
  'asked',
  'not answered',
  'p50',
  'p95',
  'p50 to calm',
  'p95 to calm',
  'within max(2×, +300 ms)',
  'the other workspace',
];

/**
 * Measures how long the visitors of a quiet channel wait while another channel of the same process has more than it
 * can send.
 */
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
  const questionRows: string[][] = [];
  try {
    for (const { name, environment } of storages) {
      // Both measurements begin with an empty database.
      const newDatabase =
        postgres !== null && 'DATABASE_URL' in environment
          ? { DATABASE_URL: await postgres.newDatabase() }
          : {};
      await attempt(run, async () => {
        run.progress(`neighbours: questions, ${name}`);
        const own = { DATA_DIR: join(folder, `${name} questions`), ...environment, ...newDatabase };
        let calm: BesideFlood | null = null;
        for await (const measured of measureQuestions(own)) {
          calm ??= measured;
          questionRows.push(questionRowOf(name, measured, calm));
        }
      });
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
  run.print(table('Questions of a quiet workspace, beside floods of another', questionHeader, questionRows));
  run.print(table('Questions in a quiet channel, beside a busy one in another workspace', header, rows));
}

const addedMs = 300;

function questionRowOf(name: string, measured: BesideFlood, calm: BesideFlood): string[] {
  const { beside, replies, failed, flooded } = measured;
  const shares = [0.5, 0.95].map((share) => {
    const [now, before] = [quantile(replies, share), quantile(calm.replies, share)];
    return { now, ratio: now / before, isWithin: now <= Math.max(2 * before, before + addedMs) };
  });
  const isWithin = failed === 0 && shares.every((one) => one.isWithin);
  return [
    ...[name, beside, `${replies.length + failed}`, `${failed}`],
    ...shares.map(({ now }) => milliseconds(now)),
    ...shares.map(({ ratio }) => `${ratio.toFixed(1)}×`),
    ...[isWithin ? 'yes' : 'NO', flooded],
  ];
}

function rowOf(name: string, { beside, replies, missing, told }: Neighbours): string[] {
  const times = [0.5, 0.95, 1].map((share) => milliseconds(quantile(replies, share)));
  return [name, beside, `${replies.length + missing}`, ...times, `${missing}`, `${told}`];
}
