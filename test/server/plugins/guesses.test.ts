import { expect, test } from 'vitest';
import { connectors } from '../../../connectors/registry.ts';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';

const strong = 'adm_0123456789abcdefghijklmnopqrstuv';

/** Frozen: on a busy machine a test takes longer than a bucket takes to refill. */
const clock = { now: () => new Date('2026-11-25T12:00:00Z') };

/** A server behind a trusted proxy, so that a test can use any IP address. Its log lines are in `lines`. */
async function open(ADMIN_TOKEN = strong) {
  const lines: string[] = [];
  const server = await openTestServer({
    runtime: {
      connectors,
      clock,
      environment: { ADMIN_TOKEN, LOG_LEVEL: 'warn', TRUST_PROXY: '127.0.0.1' },
      logged: { write: (line) => void lines.push(line) },
    },
  });
  const get = async (url: string, token: string | null, address: string) => {
    const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
    const headers = { 'x-forwarded-for': address, ...authorization };
    return server.app.inject({ url, headers });
  };
  return { ...server, lines, get };
}

type Server = Awaited<ReturnType<typeof open>>;
const count = async ({ app, runtime }: Server, kind: string) => {
  const { payload: text } = await app.inject({
    url: '/metrics',
    headers: { authorization: `Bearer ${runtime.installation.adminToken}` },
  });
  return Number(new RegExp(`parley_auth_failures_total\\{kind="${kind}"\\} (\\d+)`).exec(text)?.[1] ?? 0);
};

test('invalid credentials of each kind are rejected without a lookup after twenty a minute from one IP address', async () => {
  const server = await open();
  const shop = await server.makeWorkspace();
  await server.operate('POST', `/workspaces/${shop.id}/channels`, { channel: 'widget', settings: {} });
  const kinds: Record<string, (guess: string) => readonly [url: string, token: string | null]> = {
    operator: (guess) => ['/admin/v1/workspaces', guess],
    api_key: (guess) => [`/v1/conversations?workspace_id=${shop.id}`, `pk_${guess}`],
    session: (guess) => [`/widget/${shop.publicToken}/messages`, `vs_${guess}`],
    public_token: (guess) => [`/widget/pub_${guess}/config`, null],
  };
  for (const [kind, request] of Object.entries(kinds)) {
    const answers = [];
    for (let guess = 0; guess < 25; guess += 1) {
      answers.push(await server.get(...request(`wrong-${guess}`), '198.51.100.4'));
    }
    const wrong = kind === 'public_token' ? 404 : 401;
    expect(answers.slice(0, 20).map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(wrong));
    for (const refused of answers.slice(20)) {
      expect([refused.statusCode, refused.json().code]).toEqual([429, 'rate_limit_minute']);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    }
    expect(await count(server, kind)).toBe(20);
    expect((await server.get(...request('elsewhere'), '198.51.100.5')).statusCode).toBe(wrong);
  }
  const told = server.lines.map((line) => JSON.parse(line)).filter(({ msg }) => /throttled/.test(msg));
  expect(told.map(({ kind, address }) => [kind, address])).toEqual(
    Object.keys(kinds).map((kind) => [kind, '198.51.100.4']),
  );
});

test('known credentials and new keys and sessions work from an IP address that guesses', async () => {
  const server = await open();
  const { get } = server;
  const address = '198.51.100.9';
  const shop = await server.makeWorkspace();
  await server.operate('POST', `/workspaces/${shop.id}/channels`, { channel: 'widget', settings: {} });
  const list = (key: string) => get(`/v1/conversations?workspace_id=${shop.id}`, key, address);
  const config = `/widget/${shop.publicToken}/config`;
  expect((await list(shop.key)).statusCode).toBe(200);
  expect((await get(config, null, address)).statusCode).toBe(200);
  for (let guess = 0; guess < 21; guess += 1) {
    await list(`pk_${guess}`);
    await get(`/widget/${shop.publicToken}/messages`, `vs_${guess}`, address);
    await get(`/widget/pub_${guess}/config`, null, address);
    await get('/admin/v1/workspaces', `adm_${guess}`, address);
  }
  const known = await list(shop.key);
  expect(known.statusCode).toBe(200);
  expect(known.headers['x-ratelimit-remaining-minute']).toBeDefined();
  expect((await get(config, null, address)).statusCode).toBe(200);
  expect((await get('/admin/v1/workspaces', strong, address)).statusCode).toBe(200);
  const made = await server.operate('POST', `/workspaces/${shop.id}/keys`, { name: 'new' });
  expect((await list(made.json().key)).statusCode).toBe(200);
  const opened = await server.app.inject({
    method: 'POST',
    url: `/widget/${shop.publicToken}/session`,
    headers: { 'x-forwarded-for': address },
    payload: {},
  });
  const messages = await get(`/widget/${shop.publicToken}/messages`, opened.json().session, address);
  expect(messages.statusCode).toBe(200);
});

test('the public token of a workspace without a widget is not a failure, and works once there is one', async () => {
  const server = await open();
  const shop = await server.makeWorkspace();
  const config = () => server.get(`/widget/${shop.publicToken}/config`, null, '198.51.100.7');
  for (let turn = 0; turn < 25; turn += 1) expect((await config()).statusCode).toBe(404);
  expect(await count(server, 'public_token')).toBe(0);
  await server.operate('POST', `/workspaces/${shop.id}/channels`, { channel: 'widget', settings: {} });
  expect((await config()).statusCode).toBe(200);
});

test.each([
  ['sixteen times the same letter', 'a'.repeat(16), true],
  ['long but of few different characters', 'abcabcabc'.repeat(5), true],
  ['made by Parley', strong, false],
])("a weak operator's token logs a warning at the start: %s, %#", async (_, token, isWeak) => {
  const { lines, get } = await open(token);
  const warned = lines.filter((line) => line.includes('admin token is weak'));
  expect(warned).toHaveLength(isWeak ? 1 : 0);
  expect(lines.join()).not.toContain(token);
  expect((await get('/admin/v1/workspaces', token, '198.51.100.1')).statusCode).toBe(200);
  for (let guess = 0; guess < 20; guess += 1)
    await get('/admin/v1/workspaces', `wrong-${guess}`, '198.51.100.1');
  expect((await get('/admin/v1/workspaces', token, '198.51.100.1')).statusCode).toBe(isWeak ? 429 : 200);
  expect((await get('/admin/v1/workspaces', token, '198.51.100.2')).statusCode).toBe(200);
});
