import { chmodSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '../../helpers/stores/start-postgres.ts';
import { attempt } from '../attempt.ts';
import type { BenchRun } from '../bench-run.ts';
import { megabytes, milliseconds, ratio } from '../format.ts';
import { quantile } from '../quantile.ts';
import { type MeasuredStart, measureStart, type Program } from '../start/measure-start.ts';
import { table } from '../table.ts';

const main = resolve(import.meta.dirname, '../../../main.ts');
const bareServer = fileURLToPath(new URL('../start/bare-server.ts', import.meta.url));
const starts = 5;

interface Server {
  readonly name: string;
  readonly measured: readonly MeasuredStart[];
}

/**
 * From `npm start` to the line that says where it listens, and what the idle process holds of memory, beside a server
 * that does nothing.
 */
export async function startPart(run: BenchRun): Promise<void> {
  const servers: Server[] = [];
  const measure = (name: string, program: Program, times = starts) =>
    attempt(run, async () => {
      run.progress(`start: ${name}`);
      const measured: MeasuredStart[] = [];
      while (measured.length < times) measured.push(await measureStart(program));
      servers.push({ name, measured });
    });
  const measureProduct = async (name: string, storage: Readonly<Record<string, string>>) => {
    const environment = { PORT: '0', LOG_LEVEL: 'error', DRAIN_SECONDS: '0', ...storage };
    const program = { args: [main, 'server', 'workers'], environment };
    await measure(`Parley, ${name}, the first start, which makes and indexes the demo`, program, 1);
    await measure(`Parley, ${name}, any other start`, program);
  };
  await measure('a server that does nothing', { args: [bareServer] });
  await measureProduct('embedded', { DATA_DIR: join(run.folder, 'start') });
  // PostgreSQL runs as nobody.
  chmodSync(run.folder, 0o755);
  const postgres = await startPostgres(join(run.folder, 'start-postgres'), { durable: true });
  if (postgres !== null) {
    const DATABASE_URL = await postgres.newDatabase();
    await measureProduct('PostgreSQL', { DATABASE_URL, DATA_DIR: join(run.folder, 'start-beside-postgres') });
    await postgres.stop();
  }
  const [floor] = servers;
  const floorMs = floor === undefined ? Number.NaN : median(floor, 'listensMs');
  run.print(
    table(
      `Until it listens, the processor time of that, and its memory five seconds later (the median of ${starts})`,
      ['start', 'listens', 'processor', 'memory', 'beside the first line'],
      servers.map((server) => rowOf(server, floorMs)),
    ),
  );
}

function rowOf(server: Server, floorMs: number): string[] {
  const listensMs = median(server, 'listensMs');
  return [
    server.name,
    milliseconds(listensMs),
    milliseconds(median(server, 'processorMs')),
    megabytes(median(server, 'memoryBytes')),
    ratio(listensMs, floorMs),
  ];
}

function median({ measured }: Server, figure: keyof MeasuredStart): number {
  return quantile(
    measured.map((one) => one[figure]),
    0.5,
  );
}
