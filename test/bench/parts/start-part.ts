import { chmodSync, globSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromiumPath, openBrowser } from '../../helpers/servers/browser/open-browser.ts';
import { startPostgres } from '../../helpers/stores/databases/start-postgres.ts';
import { attempt } from '../attempt.ts';
import type { BenchRun } from '../bench-run.ts';
import { megabytes, milliseconds, ratio } from '../format.ts';
import { quantile } from '../quantile.ts';
import { type MeasuredStart, measureStart, type Program } from '../start/measure-start.ts';
import { table } from '../table.ts';

const main = resolve(import.meta.dirname, '../../../main.ts');
const bareServer = fileURLToPath(new URL('../start/bare-server.ts', import.meta.url));
const starts = 5;

/** A first start is ready within ten seconds, any other within three. */
const goalMs = { first: 10_000, other: 3_000 };

interface Server {
  readonly name: string;
  readonly measured: readonly MeasuredStart[];
  /** Starts that built the browser app. */
  readonly bundled: number | null;
}

/**
 * Measures from `npm start` on an empty folder, without any cache, to the line that names the address and to the
 * dashboard's first page in a browser; the same for later starts, and the memory of the idle process, beside a server
 * that does nothing.
 */
export async function startPart(run: BenchRun): Promise<void> {
  const servers: Server[] = [];
  const openPage = chromiumPath === undefined ? undefined : await openPages();
  const measure = (name: string, program: Program, { times = starts, folder }: Measured = {}) =>
    attempt(run, async () => {
      run.progress(`start: ${name}`);
      const measured: MeasuredStart[] = [];
      let bundled = 0;
      while (measured.length < times) {
        const begun = Date.now();
        measured.push(await measureStart(program));
        if (folder !== undefined && bundleTime(folder) >= begun) bundled += 1;
      }
      servers.push({ name, measured, bundled: folder === undefined ? null : bundled });
    });
  const measureProduct = async (name: string, folder: string, storage: Readonly<Record<string, string>>) => {
    const caches = { DATA_DIR: folder, NODE_COMPILE_CACHE: join(folder, 'compile-cache') };
    const environment = { PORT: '0', LOG_LEVEL: 'error', DRAIN_SECONDS: '0', ...caches, ...storage };
    const program = { args: [main, 'server', 'workers'], environment, ...(openPage && { openPage }) };
    const first = `Parley, ${name}, the first start, which makes and indexes the demo`;
    await measure(first, program, { times: 1, folder });
    await measure(`Parley, ${name}, any other start`, program, { folder });
  };
  await measure('a server that does nothing', { args: [bareServer] });
  await measureProduct('embedded', join(run.folder, 'start'), {});
  // PostgreSQL runs as nobody.
  chmodSync(run.folder, 0o755);
  const postgres = await startPostgres(join(run.folder, 'start-postgres'), { durable: true });
  if (postgres !== null) {
    const DATABASE_URL = await postgres.newDatabase();
    await measureProduct('PostgreSQL', join(run.folder, 'start-beside-postgres'), { DATABASE_URL });
    await postgres.stop();
  }
  await openPage?.close();
  const [floor] = servers;
  const floorMs = floor === undefined ? Number.NaN : median(floor, 'listensMs');
  run.print(
    table(
      `Until it listens and its dashboard is drawn, the processor time until it listens, and its memory five seconds later (the median of ${starts})`,
      ['start', 'listens', 'beside the first line', 'dashboard', 'bundled', 'processor', 'memory'],
      servers.map((server) => rowOf(server, floorMs)),
    ),
  );
  for (const { name, measured, bundled } of servers.slice(1)) {
    const isFirst = name.includes('the first start');
    const most = isFirst ? goalMs.first : goalMs.other;
    const slowest = Math.max(...measured.map(({ listensMs }) => listensMs));
    if (slowest > most)
      run.fail(`${name}: one listened after ${milliseconds(slowest)}, at most ${milliseconds(most)}`);
    if (!isFirst && bundled !== 0) run.fail(`${name}: ${bundled} of them bundled the browser app`);
  }
}

interface Measured {
  readonly times?: number;
  /** The data folder, where a start keeps the browser app that it built. */
  readonly folder?: string;
}

/** When the browser app in the data folder was built, in milliseconds since 1970; 0 if it was not. */
function bundleTime(folder: string): number {
  const [manifest] = globSync(join(folder, 'cache/dashboard-*/manifest.json'));
  return manifest === undefined ? 0 : statSync(manifest).mtimeMs;
}

/** Returns a function that opens the dashboard of a server in a new profile, until its form takes an address. */
async function openPages() {
  const browser = await openBrowser();
  const open = async (address: string) => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${address}/dashboard`);
    await page.locator('input[type=email]').waitFor({ timeout: 60_000 });
    await context.close();
  };
  return Object.assign(open, { close: () => browser.close() });
}

function rowOf({ bundled, ...server }: Server, floorMs: number): string[] {
  const listensMs = median(server, 'listensMs');
  return [
    server.name,
    milliseconds(listensMs),
    ratio(listensMs, floorMs),
    milliseconds(median(server, 'pageMs')),
    bundled === null ? '' : `${bundled} of ${server.measured.length}`,
    milliseconds(median(server, 'processorMs')),
    megabytes(median(server, 'memoryBytes')),
  ];
}

function median({ measured }: Pick<Server, 'measured'>, figure: keyof MeasuredStart): number {
  return quantile(
    measured.map((one) => one[figure]),
    0.5,
  );
}
