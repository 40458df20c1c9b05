import { expect, inject, onTestFinished, test } from 'vitest';
import { createLog } from '../../../core/base/log.ts';
import { openPostgresPool } from '../../../core/storage/postgres-pool.ts';
import { isDatabaseFault } from '../../../core/storage/sql-errors.ts';
import { openCuttableLine } from '../../helpers/servers/network/open-cuttable-line.ts';

const server = inject('postgresUrl');
const log = createLog('silent');

async function open() {
  const line = await openCuttableLine(server ?? '');
  const url = new URL(server ?? '');
  url.host = new URL(line.address).host;
  const pool = await openPostgresPool(url.href, log, { watchEveryMs: 50 });
  onTestFinished(async () => {
    await pool.end();
    await line.close();
  });
  return { pool, line };
}

test.skipIf(server === null)(
  'a statement whose server disappeared without notice fails, and the next one uses the new server',
  async () => {
    const { pool, line } = await open();
    const client = await pool.connect();
    line.lose();
    const failure: unknown = await client.query('select 1').catch((error: unknown) => error);
    expect(isDatabaseFault(failure)).toBe(true);
    client.release(true);
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  },
);

test.skipIf(server === null)('a statement in flight when the server disappeared fails, too', async () => {
  const { pool, line } = await open();
  const client = await pool.connect();
  const failing = client.query('select pg_sleep(30)').catch((error: unknown) => error);
  const isAtIt = "select from pg_stat_activity where state = 'active' and query = 'select pg_sleep(30)'";
  await expect.poll(async () => (await pool.query(isAtIt)).rowCount).toBe(1);
  line.lose();
  // PostgreSQL notices a lost client only when it sends something, as a dead server never does.
  await expect
    .poll(
      async () =>
        (
          await pool.query(
            `select pg_terminate_backend(pid) from (${isAtIt.replace('select', 'select pid')}) as at_it`,
          )
        ).rowCount,
    )
    .toBe(0);
  expect(isDatabaseFault(await failing)).toBe(true);
  client.release(true);
});

test.skipIf(server === null)('a slow statement is not cancelled', async () => {
  const { pool } = await open();
  const { rows } = await pool.query('select pg_sleep(1), 1 as one');
  expect(rows).toMatchObject([{ one: 1 }]);
});
