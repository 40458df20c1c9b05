import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../helpers/servers/network/free-port.ts';
import { attempt } from '../attempt.ts';
import { BenchError } from '../bench-error.ts';
import type { BenchRun } from '../bench-run.ts';
import { milliseconds } from '../format.ts';
import { type ManagedProcess, startProcess } from '../http/managed-process.ts';
import { faults } from '../providers/fault.ts';
import { type ProviderCase, servedSchema } from '../providers/provider-case.ts';
import { type StandInProvider, startStandInProvider } from '../providers/stand-in-provider.ts';
import { type Visit, visit } from '../providers/visit.ts';
import { table } from '../table.ts';

const serveCases = fileURLToPath(new URL('../providers/serve-cases.ts', import.meta.url));

interface Served {
  readonly run: BenchRun;
  readonly key: string;
  find(name: string, which?: Partial<ProviderCase>): ProviderCase;
}

/** Measures what visitors get when language models fail. */
export async function providersPart(run: BenchRun): Promise<void> {
  await attempt(run, async () => {
    const provider = await startStandInProvider();
    const product = await startProduct(run, provider);
    try {
      const { key, cases } = servedSchema.parse(JSON.parse(product.output().split('\n')[0] ?? ''));
      const find = (name: string, which: Partial<ProviderCase> = {}) => {
        const wanted = { name, ...which };
        const found = cases.find((one) =>
          Object.entries(wanted).every(([field, value]) => Reflect.get(one, field) === value),
        );
        if (found === undefined) throw new BenchError(`providers: there is no case ${name}`);
        return found;
      };
      await printFaults({ run, key, find });
    } finally {
      await product.stop();
      provider.close();
    }
  });
}

async function startProduct(run: BenchRun, provider: StandInProvider): Promise<ManagedProcess> {
  run.progress('providers: starting the product');
  return startProcess({
    program: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', serveCases],
    environment: {
      DATA_DIR: join(run.folder, 'providers'),
      OPENAI_COMPATIBLE_BASE_URL: provider.baseUrl,
      OPENAI_API_KEY: 'none',
      REFUSED_URL: `http://127.0.0.1:${await freePort()}/v1`,
      ADMIN_TOKEN: 'a-token-for-the-benchmark',
      LOG_LEVEL: 'silent',
    },
    ready: /\n/,
    core: 0,
  });
}

/** The cases that wait for a time-out run at the same time, the others before them, one by one. */
async function printFaults({ run, key, find }: Served): Promise<void> {
  run.progress('providers: faults');
  const rows: string[][] = [];
  for (const { model, what } of faults) {
    const visits = [false, true].flatMap((hasSpare) =>
      ['/v1/query', '/v1/query/stream'].map((path) => () => visit(find(model, { hasSpare, path }), key)),
    );
    const got = model === 'hanging' ? await Promise.all(visits.map((go) => go())) : await oneByOne(visits);
    const cells = got.map(({ outcome, ms }) => `${outcome}, ${milliseconds(ms)}`);
    rows.push([what, 'alone', ...cells.slice(0, 2)], ['', 'with a spare', ...cells.slice(2)]);
  }
  run.print(
    table('What the visitor gets', ['the first model', 'models', '/v1/query', '/v1/query/stream'], rows),
  );
}

async function oneByOne(visits: readonly (() => Promise<Visit>)[]): Promise<readonly Visit[]> {
  const got: Visit[] = [];
  for (const go of visits) got.push(await go());
  return got;
}
