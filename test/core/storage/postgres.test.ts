import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, inject, test } from 'vitest';
import { createLog } from '../../../core/base/log.ts';
import { openDatabase } from '../../../core/storage/database.ts';
import { openPostgresPool } from '../../../core/storage/postgres-pool.ts';
import { isDatabaseFault } from '../../../core/storage/sql-errors.ts';
import { freePort } from '../../helpers/servers/network/free-port.ts';
import { createBareDatabase } from '../../helpers/stores/databases/test-databases.ts';

const log = createLog('silent');
const server = inject('postgresUrl');
const open = (url: string) => openDatabase({ DATA_DIR: '/nowhere', DATABASE_URL: url }, log);

describe('an unusable database stops the start with one line of advice', () => {
  test('if the server is unreachable', async () => {
    const port = await freePort();
    await expect(open(`postgres://parley:secret@127.0.0.1:${port}/parley`)).rejects.toThrow(
      /^Cannot use the database 127\.0\.0\.1:\d+\/parley from DATABASE_URL: .+\. Check that PostgreSQL runs there and is reachable from this machine\.$/,
    );
  });

  test.skipIf(server === null)('if the database does not exist', async () => {
    const url = new URL(server ?? '');
    url.pathname = '/absent';
    await expect(open(url.href)).rejects.toThrow(/Create that database first\.$/);
  });

  test.skipIf(server === null)('if it is read-only, as a standby is', async () => {
    const url = await createBareDatabase();
    const { pathname } = new URL(url);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(`alter database ${pathname.slice(1)} set default_transaction_read_only = on`);
    await client.end();
    await expect(open(url)).rejects.toThrow(/is read-only.*\. Set DATABASE_URL to the primary server\.$/);
  });

  test.skipIf(server === null)('if a newer version has written it', async () => {
    const url = await createBareDatabase();
    const database = await open(url);
    await sql`insert into migration (name) values ('9999-from-the-future')`.execute(database.kysely);
    await database.close();
    await expect(open(url)).rejects.toThrow(/written by a newer version of Parley/);
  });
});

test.skipIf(server === null)('several processes can migrate a database concurrently', async () => {
  const url = await createBareDatabase();
  const databases = await Promise.all([open(url), open(url), open(url)]);
  for (const database of databases) {
    expect(await database.kysely.selectFrom('workspace').selectAll().execute()).toEqual([]);
    await database.close();
  }
});

test.skipIf(server === null)(
  'no session uses JIT compilation, which takes longer than running the statements',
  async () => {
    const database = await open(await createBareDatabase());
    const { rows } = await database.pool.query('show jit');
    expect(rows).toEqual([{ jit: 'off' }]);
    await database.close();
  },
);

test.skipIf(server === null)(
  'locks of a hung process are released after a minute, and the process recovers',
  async () => {
    const url = await createBareDatabase();
    const database = await open(url);
    const { rows } = await database.pool.query('show idle_in_transaction_session_timeout');
    expect(rows).toEqual([{ idle_in_transaction_session_timeout: '1min' }]);
    const settings = `set idle_in_transaction_session_timeout to '200ms'`;
    const hanging = await openPostgresPool(url, log, { max: 1, settings });
    await database.pool.query('create table locked (id int)');
    await database.pool.query('insert into locked values (1)');
    const client = await hanging.connect();
    await client.query('begin');
    await client.query('update locked set id = 2');
    await database.pool.query('update locked set id = 3');
    const next = await client.query('select 1').catch((error: unknown) => error);
    expect(isDatabaseFault(next)).toBe(true);
    client.release(true);
    expect((await hanging.query('select id from locked')).rows).toEqual([{ id: 3 }]);
    await hanging.end();
    await database.close();
  },
);
