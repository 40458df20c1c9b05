import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { WaitingPool } from '../../../core/storage/waiting-pool.ts';

const server = inject('postgresUrl');
/** Longer than opening a connection takes, so that all would be wanted at once. */
const slow = 'select pg_sleep(0.05)';

/** A URL with a limited number of connections. The limit can be changed. */
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
  // Closed before the role is dropped: the last cleanup runs first.
  onTestFinished(() => (pool.ended ? undefined : pool.end()));
  return { pool, warnings };
}

describe.skipIf(server === null)('a pool on a server with fewer connections than its maximum', () => {
  test('lets queries wait for the available connections, and logs that once', async () => {
    const { url } = await limitedAddress(2);
    const { pool, warnings } = openPool(url);
    await Promise.all(Array.from({ length: 12 }, () => pool.query(slow)));
    expect(pool.totalCount).toBe(2);
    expect(warnings).toEqual([{ connections: expect.any(Number), wanted: 8 }]);
  });

  test('waits for a connection if it has none', async () => {
    const { url } = await limitedAddress(1);
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    const { pool, warnings } = openPool(url);
    const asked = pool.query<{ one: number }>('select 1 as one');
    await expect.poll(() => warnings).toHaveLength(1);
    await other.end();
    expect((await asked).rows).toEqual([{ one: 1 }]);
  });

  test('grows again when the server has more connections', async () => {
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

  test('gives a new connection to callers that wait for ones that are never released', async () => {
    const { url, allow } = await limitedAddress(1);
    const { pool, warnings } = openPool(url, { retryMs: 100 });
    const kept = await pool.connect();
    const asked = pool.query<{ one: number }>('select 1 as one');
    await expect.poll(() => warnings).toHaveLength(1);
    await allow(2);
    expect((await asked).rows).toEqual([{ one: 1 }]);
    kept.release();
  });

  test('keeps its last connection, which another client would take', async () => {
    const { url } = await limitedAddress(1);
    const { pool } = openPool(url, { idleTimeoutMillis: 1 });
    await pool.query('select 1');
    for (let tries = 0; tries < 30; tries += 1) {
      const other = new pg.Client({ connectionString: url });
      await expect(other.connect()).rejects.toMatchObject({ code: '53300' });
    }
    expect(pool.totalCount).toBe(1);
  });

  test('passes on any other server error at once', async () => {
    const url = new URL((await limitedAddress(1)).url);
    url.pathname = '/absent';
    const { pool } = openPool(url.href);
    await expect(pool.query('select 1')).rejects.toMatchObject({ code: '3D000' });
    await expect(pool.connect()).rejects.toMatchObject({ code: '3D000' });
  });
});
