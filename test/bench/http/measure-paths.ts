import { join } from 'node:path';
import type { PostgresServer } from '../../helpers/stores/databases/start-postgres.ts';
import type { BenchRun } from '../bench-run.ts';
import { count, milliseconds } from '../format.ts';
import { table } from '../table.ts';
import { startChain } from './chain-target.ts';
import { fakeEnvironment } from './fake-environment.ts';
import { type FakeProvider, type Pace, startFakeProvider } from './fake-provider.ts';
import { startProduct } from './product-target.ts';
import { type LoadResult, runLoad } from './run-load.ts';
import type { Target } from './target.ts';

const header = [
  ['', 'connections', 'requests/s', 'p50', 'p99', 'CPU a request'],
  ['database CPU', 'first token p50', 'p95', 'gap p99', 'RSS', 'others'],
].flat();

/** A model that answers at once, and one with five milliseconds from token to token. */
const instant = { tokens: 20, spacing: 0 };
const spaced = { tokens: 20, spacing: 5 };

/** The sync path at ten connections, the stream at ten and fifty, beside the chain on the same storage. */
export async function measurePaths(
  run: BenchRun,
  scripts: string,
  postgres: PostgresServer | null,
): Promise<void> {
  const rows: string[][] = [];
  for (const database of postgres === null ? [null] : [postgres, null]) {
    for (const pace of [instant, spaced]) {
      const provider = await startFakeProvider(scripts, pace);
      const opening = { run, scripts, provider, database };
      rows.push(...(await measureTarget(await openProduct(opening), opening, pace)));
      rows.push(...(await measureTarget(await openChain(opening), opening, pace)));
      await provider.stop();
    }
  }
  run.print(table('Question to answer over HTTP, fake model and vectors', header, rows));
}

/** The instant model answers in one piece, the spaced one in a stream. */
async function measureTarget(
  target: Target,
  { run, scripts, database }: Opening,
  pace: Pace,
): Promise<string[][]> {
  run.progress(`http: ${target.name}`);
  const stream = pace === spaced;
  const also = database === null ? [] : [database.pid];
  const rows: string[][] = [];
  for (const connections of stream ? [10, 50] : [10]) {
    const result = await runLoad(target, { scripts, connections, stream, also });
    rows.push(rowOf(`${target.name}${stream ? ', stream' : ''}`, connections, result));
  }
  await target.stop();
  return rows;
}

interface Opening {
  readonly run: BenchRun;
  readonly scripts: string;
  readonly provider: FakeProvider;
  readonly database: PostgresServer | null;
}

let made = 0;

function folderIn({ folder }: BenchRun): string {
  made += 1;
  return join(folder, `http-${made}`);
}

async function openProduct({ run, provider, database }: Opening): Promise<Target> {
  const storage = {
    DATA_DIR: folderIn(run),
    ...(database === null ? {} : { DATABASE_URL: await database.newDatabase() }),
  };
  const name = `Parley, ${database === null ? 'embedded' : 'PostgreSQL'}`;
  return startProduct(name, fakeEnvironment(provider.baseUrl, storage), { core: 0 });
}

async function openChain({ run, scripts, provider, database }: Opening): Promise<Target> {
  return startChain({
    scripts,
    folder: folderIn(run),
    providerUrl: provider.baseUrl,
    databaseUrl: await database?.newDatabase(),
  });
}

function rowOf(name: string, connections: number, result: LoadResult): string[] {
  const time = (value: number | null | undefined) => (value == null ? '' : milliseconds(value));
  const processor = (value: number | null | undefined) =>
    value == null ? '' : `${(value / 1_000).toFixed(2)} ms`;
  return [
    name,
    count(connections),
    count(Math.round(result.rps)),
    time(result.p50),
    time(result.p99),
    processor(result.cpuUsPerReq),
    processor(result.alsoCpuUsPerReq),
    time(result.ttft?.p50),
    time(result.ttft?.p95),
    time(result.gap?.p99),
    `${result.rssMb} MB`,
    `${result.otherPct} %`,
  ];
}
