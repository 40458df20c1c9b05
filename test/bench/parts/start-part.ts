import { chmodSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '../../helpers/start-postgres.ts';
import { attempt } from '../attempt.ts';
import type { BenchRun } from '../bench-run.ts';
import { megabytes, milliseconds, ratio } from '../format.ts';
import { quantile } from '../quantile.ts';
import { type MeasuredStart, measureStart } from '../start/measure-start.ts';
import { table } from '../table.ts';

const main = resolve(import.meta.dirname, '../../../core/main.ts');
const bareServer = fileURLToPath(new URL('../start/bare-server.ts', import.meta.url));
const starts = 5;

/**
 * From `npm start` to the line that says where it listens, and what the idle process holds of memory, beside a server
 * that does nothing.
 */
export async function startPart(run: BenchRun): Promise<void> {
  const rows: string[][] = [];
  let floorMs = Number.NaN;
  const add = (name: string, measured: readonly MeasuredStart[]) => {
    const median = (figure: keyof MeasuredStart) =>
      quantile(
        measured.map((one) => one[figure]),
        0.5,
      );
    const listensMs = median('listensMs');
    if (rows.length === 0) floorMs = listensMs;
    const figures = [milliseconds(listensMs), milliseconds(median('processorMs'))];
    rows.push([name, ...figures, megabytes(median('memoryBytes')), ratio(listensMs, floorMs)]);
  };
  const measureProduct = (name: string, environment: Readonly<Record<string, string>>) =>
    attempt(run, async () => {
      run.progress(`start: ${name}`);
      const program = { args: [main, 'server', 'workers'], environment };
      const first = await measureStart(program);
      add(`Parley, ${name}, the first start, which makes and indexes the demo`, [first]);
      const again: MeasuredStart[] = [];
      while (again.length < starts) again.push(await measureStart(program));
      add(`Parley, ${name}, any other start`, again);
    });
  await attempt(run, async () => {
    const bare: MeasuredStart[] = [];
    while (bare.length < starts) bare.push(await measureStart({ args: [bareServer] }));
    add('a server that does nothing', bare);
  });
  const settings = { PORT: '0', LOG_LEVEL: 'error' };
  await measureProduct('embedded', { ...settings, DATA_DIR: join(run.folder, 'start') });
  // PostgreSQL runs as nobody.
  chmodSync(run.folder, 0o755);
  const postgres = await startPostgres(join(run.folder, 'start-postgres'), { durable: true });
  if (postgres !== null) {
    const DATABASE_URL = await postgres.newDatabase();
    const DATA_DIR = join(run.folder, 'start-beside-postgres');
    await measureProduct('PostgreSQL', { ...settings, DATABASE_URL, DATA_DIR });
    await postgres.stop();
  }
  run.print(
    table(
      `Until it listens, the processor time of that, and its memory five seconds later (the median of ${starts})`,
      ['start', 'listens', 'processor', 'memory', 'beside the first line'],
      rows,
    ),
  );
}
