import { once } from 'node:events';
import pg from 'pg';
import { expect, test } from 'vitest';
import { freePort } from '../helpers/servers/network/free-port.ts';
import { startProduct } from '../helpers/servers/processes/run-product.ts';
import { emptyTestFolder } from '../helpers/stores/databases/test-data-folder.ts';
import { createBareDatabase, testEngines } from '../helpers/stores/databases/test-databases.ts';

/** The key of the lock that a migrating process holds. */
const sessionLockKey = '3853314791062309108';

test.skipIf(!testEngines.includes('postgres'))(
  'a server that waits for migrations is alive and not ready, and serves when they are done',
  { timeout: 300_000 },
  async () => {
    const url = await createBareDatabase();
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    await other.query(`select pg_advisory_lock(${sessionLockKey})`);
    const port = await freePort();
    const child = startProduct({ DATABASE_URL: url, DATA_DIR: emptyTestFolder(), PORT: String(port) }, [
      'server',
    ]);
    child.stderr.resume();
    child.stdout.resume();
    const read = async (path: string) => {
      try {
        const response = await fetch(`http://127.0.0.1:${port}${path}`);
        return { status: response.status, body: await response.json() };
      } catch {
        return { status: 0, body: {} };
      }
    };
    const limit = { timeout: 120_000 };
    await expect.poll(() => read('/healthz'), limit).toEqual({ status: 200, body: { status: 'alive' } });
    await expect
      .poll(() => read('/readyz'), limit)
      .toMatchObject({ status: 503, body: { code: 'deploying', status: 'migrating' } });
    expect(await read('/v1/query')).toMatchObject({ status: 503, body: { code: 'deploying' } });
    await other.end();
    await expect.poll(() => read('/readyz'), limit).toMatchObject({ status: 200, body: { status: 'ready' } });
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  },
);
