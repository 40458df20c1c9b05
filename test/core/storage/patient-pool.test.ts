import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { WaitingPool } from '../../../core/storage/waiting-pool.ts';

const server = inject('postgresUrl');
/** Longer than it takes to open a connection, so that all would be wanted at once. */
const slow = 'select pg_sleep(0.05)';

/** An address at which so many connections are to be had; how many that are can be changed. */
async function limitedAddress(limit: number) {
  const role = `limited_${randomUUID().replaceAll('-', '')}`;
  const admin = new pg.Client({ connectionString: server ?? '' });
  await admin.connect();
  await admin.query(`create role ${role} login connection limit ${limit}`);
  onTestFinished(async () => {
    await admin.query(`drop role ${role}`);
    await admin.end();
  });
  const url = new URL(server ?? '');
  url.username = role;
  return {
    url: url.href,
    allow: (more: number) => admin.query(`alter role ${role} connection limit ${more}`),
  };
}

function openPool(url: string, { max = 8, retryMs = 60_000, idleTimeoutMillis = 0 } = {}) {
  const warnings: object[] = [];
  const config = { connectionString: url, idleTimeoutMillis };
  const pool = new WaitingPool({
    config,
    max,
    retryMs,
    log: { warn: (what: object) => warnings.push(what) },
  });
  // Before the role is dropped: what was to be done last is done first.
  onTestFinished(() => (pool.ended ? undefined : pool.end()));
  return { pool, warnings };
}

describe.skipIf(server === null)('where the server has fewer connections than a pool may have', () => {
  test('whatever is asked waits for those that there are, and that is said once', async () => {
    const { url } = await limitedAddress(2);
    const { pool, warnings } = openPool(url);
    await Promise.all(Array.from({ length: 12 }, () => pool.query(slow)));
    expect(pool.totalCount).toBe(2);
    expect(warnings).toEqual([{ connections: expect.any(Number), wanted: 8 }]);
  });

  test('who has none at all waits until there is one', async () => {
    const { url } = await limitedAddress(1);
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    const { pool, warnings } = openPool(url);
    const asked = pool.query<{ one: number }>('select 1 as one');
    await expect.poll(() => warnings).toHaveLength(1);
    await other.end();
    expect((await asked).rows).toEqual([{ one: 1 }]);
  });

  test('it takes more of them again when there are more', async () => {
    const { url, allow } = await limitedAddress(1);
    const { pool } = openPool(url, { max: 3, retryMs: 100 });
    await Promise.all(Array.from({ length: 6 }, () => pool.query(slow)));
    await allow(3);
    await expect
      .poll(async () => {
        await Promise.all(Array.from({ length: 6 }, () => pool.query(slow)));
        return pool.totalCount;
      })
      .toBe(3);
  });

  test('who waits for those that are never given back has the next one that there is', async () => {
    const { url, allow } = await limitedAddress(1);
    const { pool, warnings } = openPool(url, { retryMs: 100 });
    const kept = await pool.connect();
    const asked = pool.query<{ one: number }>('select 1 as one');
    await expect.poll(() => warnings).toHaveLength(1);
    await allow(2);
    expect((await asked).rows).toEqual([{ one: 1 }]);
    kept.release();
  });

  test('the last one is not given back: somebody else would have it', async () => {
    const { url } = await limitedAddress(1);
    const { pool } = openPool(url, { idleTimeoutMillis: 1 });
    await pool.query('select 1');
    for (let tries = 0; tries < 30; tries += 1) {
      const other = new pg.Client({ connectionString: url });
      await expect(other.connect()).rejects.toMatchObject({ code: '53300' });
    }
    expect(pool.totalCount).toBe(1);
  });

  test('whatever else a server says is passed on at once', async () => {
    const url = new URL((await limitedAddress(1)).url);
    url.pathname = '/absent';
    const { pool } = openPool(url.href);
    await expect(pool.query('select 1')).rejects.toMatchObject({ code: '3D000' });
    await expect(pool.connect()).rejects.toMatchObject({ code: '3D000' });
  });
});
