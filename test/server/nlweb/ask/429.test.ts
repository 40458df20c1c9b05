import { expect, test } from 'vitest';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';

const time = { now: new Date('2026-03-31T12:00:00Z') };
const { app, makeWorkspace, runtime } = await openTestServer({
  runtime: { clock: { now: () => time.now }, environment: { TRUST_PROXY: '127.0.0.1' } },
});

const openWorkspace = (fields: object = {}) =>
  makeWorkspace({ settings: { nlweb_enabled: true }, ...fields });

const askFrom = (id: string, address: string, payload: object = { query: 'Do you sell socks?' }) =>
  app.inject({
    method: 'POST',
    url: `/api/nlweb/${id}/ask`,
    headers: { 'x-forwarded-for': address, origin: 'https://x.example' },
    payload,
  });

/** Empties the bucket at once, with malformed questions, which take a token too. */
const exhaust = async (id: string, address: string) => {
  const responses = await Promise.all(Array.from({ length: 40 }, () => askFrom(id, address, {})));
  return responses.filter((response) => response.statusCode !== 429).length;
};

test('of 40 concurrent requests, 30 are admitted and the others get Retry-After', async () => {
  const { id } = await openWorkspace();
  expect(await exhaust(id, '192.0.2.1')).toBe(30);
  const response = await askFrom(id, '192.0.2.1');
  expect([response.statusCode, response.json()]).toEqual([
    429,
    { code: 'rate_limit_minute', detail: expect.any(String), request_id: response.headers['x-request-id'] },
  ]);
  expect(response.headers).toMatchObject({ 'retry-after': '2', 'access-control-allow-origin': '*' });
});

test('a token returns every two seconds, up to 30', async () => {
  const { id } = await openWorkspace();
  await exhaust(id, '192.0.2.1');
  time.now = new Date(time.now.getTime() + 2_000);
  const statuses = [await askFrom(id, '192.0.2.1'), await askFrom(id, '192.0.2.1')].map(
    (one) => one.statusCode,
  );
  expect(statuses).toEqual([200, 429]);
  time.now = new Date(time.now.getTime() + 3_600_000);
  expect(await exhaust(id, '192.0.2.1')).toBe(30);
});

test('IP addresses and workspaces have separate buckets', async () => {
  const [one, other] = [await openWorkspace(), await openWorkspace()];
  await exhaust(one.id, '192.0.2.1');
  expect((await askFrom(one.id, '192.0.2.2')).statusCode).toBe(200);
  expect((await askFrom(other.id, '192.0.2.1')).statusCode).toBe(200);
});

test('all addresses of an IPv6 network share a bucket', async () => {
  const { id } = await openWorkspace();
  await exhaust(id, '2001:db8:1:2::1');
  expect((await askFrom(id, '2001:db8:1:2:ffff::9')).statusCode).toBe(429);
  expect((await askFrom(id, '2001:db8:1:3::1')).statusCode).toBe(200);
});

test('discovery takes no token', async () => {
  const { id } = await openWorkspace();
  await exhaust(id, '127.0.0.1');
  expect((await app.inject({ method: 'GET', url: `/api/nlweb/${id}` })).statusCode).toBe(200);
});

test('an exhausted quota reports when the next month begins, and the question is not stored', async () => {
  const { id, owner } = await openWorkspace({ plan: 'free' });
  await runtime.database.pool.query("insert into owner_usage values ($1, '2026-03-01', 50)", [owner]);
  const response = await askFrom(id, '192.0.2.1');
  expect([response.statusCode, response.json().code]).toEqual([429, 'quota_exhausted']);
  expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
  const stored = await runtime.database.pool.query('select id from conversation where workspace_id = $1', [
    id,
  ]);
  expect(stored.rows).toEqual([]);
});

test('removes full buckets', async () => {
  const { id } = await openWorkspace();
  await askFrom(id, '192.0.2.77');
  time.now = new Date(time.now.getTime() + 3_600_000);
  await askFrom(id, '192.0.2.78');
  const { rows } = await runtime.database.pool.query('select name from token_bucket');
  expect(rows).toEqual([{ name: `public ${id} 192.0.2.78` }]);
});
