import { expect, test } from 'vitest';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';

let now = new Date('2026-03-01T12:00:00.000Z');
const { app, query, makeWorkspace, runtime } = await openTestServer({
  runtime: { clock: { now: () => now } },
});
const { id, key } = await makeWorkspace();

async function codeWith(
  headers: Record<string, string>,
  payload: string | object = { query: 'Do you sell socks?' },
) {
  const response = await app.inject({ method: 'POST', url: '/v1/query', headers, payload });
  return [response.statusCode, response.json().code];
}

test('reports missing_auth without an Authorization header', async () => {
  expect(await codeWith({})).toEqual([401, 'missing_auth']);
});

test.each([
  `bearer ${key}`,
  `BEARER ${key}`,
  `Basic ${key}`,
  `Token ${key}`,
  key,
  `Bearer  ${key}`,
  `Bearer "${key}"`,
  `Bearer '${key}'`,
  `Bearer ${key} more`,
  `Bearer ${key},`.replace(',', ' ,'),
  'Bearer',
  '',
])('rejects the header %j as malformed', async (authorization) => {
  expect(await codeWith({ authorization })).toEqual([401, 'malformed_auth']);
});

test('rejects an unknown key', async () => {
  expect(await codeWith({ authorization: 'Bearer pk_nobody' })).toEqual([401, 'invalid_key']);
});

test('names the scheme in WWW-Authenticate', async () => {
  const response = await app.inject({ method: 'POST', url: '/v1/query', payload: {} });
  expect(response.headers['www-authenticate']).toBe('Bearer');
});

test('rejects a revoked key', async () => {
  const { apiKey, value } = await runtime.apiKeys.create(id, { name: 'Revoked' });
  await runtime.apiKeys.revoke(id, apiKey.id);
  expect((await query(value, { query: 'Do you sell socks?' })).json().code).toBe('invalid_key');
});

test('rejects a key of a deleted workspace', async () => {
  const other = await makeWorkspace();
  await runtime.workspaces.delete(other.id);
  expect((await query(other.key, { query: 'Do you sell socks?' })).json().code).toBe('invalid_key');
});

test('a key expires at its time, to the millisecond', async () => {
  const expiresAt = new Date('2026-03-01T12:00:01.000Z');
  const { value } = await runtime.apiKeys.create(id, { name: 'Brief', expiresAt });
  now = new Date('2026-03-01T12:00:00.999Z');
  expect((await query(value, { query: 'Do you sell socks?' })).statusCode).toBe(200);
  now = expiresAt;
  const response = await query(value, { query: 'Do you sell socks?' });
  expect([response.statusCode, response.json().code]).toEqual([401, 'expired_key']);
});

test('checks the key before the body', async () => {
  expect(await codeWith({ 'content-type': 'application/json' }, '{')).toEqual([401, 'missing_auth']);
});
