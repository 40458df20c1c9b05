import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { createLog } from '../../../core/base/log.ts';
import { openDatabase } from '../../../core/storage/database.ts';
import { openPostgresPool } from '../../../core/storage/postgres-pool.ts';
import { hasPgbouncer, startPgbouncer } from '../../helpers/stores/databases/start-pgbouncer.ts';
import { emptyTestFolder } from '../../helpers/stores/databases/test-data-folder.ts';
import { createDatabase } from '../../helpers/stores/databases/test-databases.ts';

const log = createLog('silent');
const server = inject('postgresUrl');
const canRun = hasPgbouncer && server !== null;
if (!canRun)
  process.stderr.write('Tests with PgBouncer are skipped: PgBouncer or PostgreSQL is not installed.\n');

async function behind(mode: 'session' | 'transaction' | 'statement', settings: readonly string[] = []) {
  const database = await createDatabase();
  const pooler = await startPgbouncer({ folder: emptyTestFolder(), database, mode, settings });
  afterAll(() => pooler.stop());
  return { open: () => openDatabase({ DATA_DIR: '', DATABASE_URL: pooler.url }, log), url: pooler.url };
}

describe.skipIf(!canRun)('PgBouncer in front of the database', () => {
  test.each([
    { name: 'as it is set up by default', settings: [] },
    { name: 'with a pool of one', settings: ['default_pool_size = 1'] },
    { name: 'that takes its sessions in turn', settings: ['server_round_robin = 1', 'min_pool_size = 4'] },
  ])('in transaction mode, $name, stops the start with one line', async ({ settings }) => {
    const { open, url } = await behind('transaction', settings);
    const { host, pathname } = new URL(url);
    for (const _start of ['first', 'second', 'third']) {
      await expect(open()).rejects.toThrow(
        `DATABASE_URL points to ${host}${pathname} through a pooler in transaction mode, but Parley needs session state. Switch the pooler to session mode, or set DATABASE_URL to PostgreSQL itself.`,
      );
    }
  });

  test('in transaction mode stops the start while others use the pool', async () => {
    const { open, url } = await behind('transaction', ['default_pool_size = 8']);
    const others = new pg.Pool({ connectionString: url, max: 12 });
    let isOver = false;
    const using = Array.from({ length: 12 }, async () => {
      while (!isOver) await others.query('select pg_sleep(0.001)');
    });
    await expect(open()).rejects.toThrow(/a pooler in transaction mode/);
    isOver = true;
    await Promise.all(using);
    await others.end();
  });

  test('in statement mode stops the start with one line', async () => {
    const { open } = await behind('statement');
    await expect(open()).rejects.toThrow(/^(?:DATABASE_URL points to|Cannot use the database) [^\n]+\.$/);
  });

  test('in session mode is accepted', async () => {
    const { open } = await behind('session');
    const database = await open();
    expect((await sql<{ one: number }>`select 1 as one`.execute(database.kysely)).rows).toEqual([{ one: 1 }]);
    await database.close();
  });
});

test.skipIf(server === null)('a PostgreSQL server without a second connection is accepted', async () => {
  const role = `limited_${randomUUID().replaceAll('-', '')}`;
  const admin = new pg.Client({ connectionString: server ?? '' });
  await admin.connect();
  await admin.query(`create role ${role} login connection limit 1`);
  const url = new URL(server ?? '');
  url.username = role;
  const pool = await openPostgresPool(url.href, log, { max: 4, checkSessions: true });
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await pool.end();
  await admin.query(`drop role ${role}`);
  await admin.end();
});
