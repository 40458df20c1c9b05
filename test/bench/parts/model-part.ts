import { join } from 'node:path';
import { startPostgres } from '../../helpers/stores/databases/start-postgres.ts';
import { attempt } from '../attempt.ts';
import type { BenchRun } from '../bench-run.ts';
import { milliseconds, ratio } from '../format.ts';
import { measureTarget, type TargetTimes } from '../model/measure-target.ts';
import { type PacedProvider, startPacedProvider } from '../model/start-paced-provider.ts';
import { startParley } from '../model/start-parley.ts';
import { startProxy } from '../model/start-proxy.ts';
import type { StreamTarget } from '../model/stream-target.ts';
import { quantile } from '../quantile.ts';
import { table } from '../table.ts';

const header = ['', 'p50', 'p95', 'most', 'goal for p95', 'beyond the proxy at p95', '', 'times'];
const figures = [
  { of: 'alone', what: 'first word, one stream at a time', goal: '15 ms' },
  { of: 'together', what: 'first word, 20 streams opened at once', goal: '15 ms' },
  { of: 'hurried', what: 'the same, the model answers at once', goal: '15 ms' },
  { of: 'leaving', what: 'leaving to connection closed, 20 at once', goal: '200 ms' },
] as const;

interface Measured {
  readonly name: string;
  readonly times: TargetTimes;
}

/**
 * Measures how much the product adds to a model's first word, and how soon it stops the model when a visitor leaves,
 * beside a plain proxy.
 */
export async function modelPart(run: BenchRun): Promise<void> {
  const postgres = await startPostgres(join(run.folder, 'postgres-model'), { durable: true });
  if (postgres === null)
    run.print('model: this machine lacks PostgreSQL with pgvector: embedded storage only');
  const provider = await startPacedProvider();
  const storageOf = (name: string) => ({ DATA_DIR: join(run.folder, `model-${name}`) });
  try {
    await attempt(run, async () => {
      const measure = measureWith(run, provider);
      const proxy = await measure(await startProxy(provider.address));
      const parley = (name: string, storage: Parameters<typeof startParley>[2]) =>
        startParley(name, provider.address, storage);
      const products = [await measure(await parley('Parley, embedded', storageOf('embedded')))];
      if (postgres !== null) {
        const storage = { ...storageOf('postgres'), DATABASE_URL: await postgres.newDatabase() };
        products.push(await measure(await parley('Parley, PostgreSQL', storage)));
      }
      const rows = [proxy, ...products].flatMap((measured) => rowsOf(measured, proxy.times));
      run.print(table('Between the provider’s connection and the visitor’s', header, rows));
    });
  } finally {
    await provider.stop();
    await postgres?.stop();
  }
}

function measureWith(run: BenchRun, provider: PacedProvider) {
  return async (target: StreamTarget): Promise<Measured> => {
    run.progress(`model: ${target.name}`);
    try {
      return { name: target.name, times: await measureTarget(target, provider) };
    } finally {
      await target.stop();
    }
  };
}

function rowsOf({ name, times }: Measured, baseline: TargetTimes): string[][] {
  return figures.map(({ of, what, goal }) => {
    const [p50 = 0, p95 = 0, most = 0] = [0.5, 0.95, 1].map((share) => quantile(times[of], share));
    const plain = quantile(baseline[of], 0.95);
    const beyond = times === baseline ? ['', ''] : [milliseconds(p95 - plain), ratio(p95, plain)];
    return [
      `${name}: ${what}`,
      ...[p50, p95, most].map(milliseconds),
      goal,
      ...beyond,
      `${times[of].length}`,
    ];
  });
}
