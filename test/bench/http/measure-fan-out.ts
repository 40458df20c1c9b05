import { join } from 'node:path';
import type { PostgresServer } from '../../helpers/stores/databases/start-postgres.ts';
import type { BenchRun } from '../bench-run.ts';
import { count, milliseconds } from '../format.ts';
import { quantile } from '../quantile.ts';
import { table } from '../table.ts';
import { fakeEnvironment } from './fake-environment.ts';
import { startFakeProvider } from './fake-provider.ts';
import { type FanOut, fanOut } from './fan-out.ts';
import { startProduct } from './product-target.ts';

const levels = [100, 300, 1_000, 2_000];
/** The number of streams that a key may have open at once. */
const streamsOfKey = 50;
/** The rate is twenty tokens a second, for as long as a stream may last. */
const pace = { tokens: 600, spacing: 50 };
/** With tokens this late there is no use in opening more streams. */
const tooLateMs = 1_000;

/** Measures how late tokens arrive when one process has very many streams open. */
export async function measureFanOut(
  run: BenchRun,
  scripts: string,
  postgres: PostgresServer | null,
): Promise<void> {
  const rows: string[][] = [];
  for (const streams of levels) {
    run.progress(`http: ${streams} streams`);
    const result = await measureLevel(run, { scripts, postgres, streams });
    const [p50 = 0, p95 = 0, p99 = 0] = [0.5, 0.95, 0.99].map((share) => quantile(result.gaps, share));
    const gaps = [p50, p95, p99].map(milliseconds);
    rows.push([count(streams), count(result.open), count(result.tokensPerSecond), ...gaps]);
    if (p99 > tooLateMs) break;
  }
  const header = ['streams', 'open', 'tokens/s', 'gap p50', 'p95', 'p99'];
  run.print(table('Streams open at once in one process, 20 tokens a second each', header, rows));
}

interface Level {
  readonly scripts: string;
  readonly postgres: PostgresServer | null;
  readonly streams: number;
}

async function measureLevel(run: BenchRun, { scripts, postgres, streams }: Level): Promise<FanOut> {
  const provider = await startFakeProvider(scripts, pace);
  const storage = {
    DATA_DIR: join(run.folder, `http-fan-out-${streams}`),
    ...(postgres === null ? {} : { DATABASE_URL: await postgres.newDatabase() }),
  };
  const environment = fakeEnvironment(provider.baseUrl, storage);
  const target = await startProduct('Parley', environment, {
    keys: Math.ceil(streams / streamsOfKey),
    core: 0,
  });
  const result = await fanOut(target, streams);
  await target.stop();
  await provider.stop();
  return result;
}
