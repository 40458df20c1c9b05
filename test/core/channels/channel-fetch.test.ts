import { lookup as lookUp } from 'node:dns/promises';
import { createServer } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { openChannelFetch } from '../../../core/channels/channel-fetch.ts';

let calls = 0;
const server = createServer(({ url }, response) => {
  calls += 1;
  if (url === '/moved') response.writeHead(302, { location: '/elsewhere' }).end();
  else response.end('Hello.');
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const address = server.address();
if (address === null || typeof address === 'string') throw new TypeError('no port');
const { port } = address;
const open = openChannelFetch({ allowPrivate: true });
const guarded = openChannelFetch({
  allowPrivate: false,
  resolveHost: async () => [{ address: '127.0.0.1', family: 4 }],
});
afterAll(async () => {
  await Promise.all([open.close(), guarded.close()]);
  server.close();
});

test.each([
  [`https://127.0.0.1:${port}/bot123:abc`, 'address_refused'],
  [`https://10.0.0.1/bot123:abc`, 'address_refused'],
  [`https://rebound.example:${port}/bot123:abc`, 'address_refused'],
  [`http://127.0.0.1:${port}/bot123:abc`, 'invalid_address'],
  ['ftp://platform.example/bot123:abc', 'invalid_address'],
  ['bot123:abc', 'invalid_address'],
])('%s is not called where private networks are not allowed, and no path is told', async (url, code) => {
  const before = calls;
  const error: unknown = await guarded.fetch(url).catch((fault: unknown) => fault);
  expect(error).toMatchObject({ name: 'FetchError', code });
  expect(String(error)).not.toContain('bot123');
  expect(calls).toBe(before);
});

test('where they are allowed this machine is called, also by http', async () => {
  const response = await open.fetch(`http://127.0.0.1:${port}/`);
  expect(response).toBeInstanceOf(Response);
  expect([response.status, await response.text()]).toEqual([200, 'Hello.']);
});

test('a redirect is not followed: it could take a token elsewhere', async () => {
  const before = calls;
  const moved = open.fetch(`http://127.0.0.1:${port}/moved`);
  await expect(moved).rejects.toMatchObject({ code: 'host_unreachable' });
  expect(calls).toBe(before + 1);
});

test('who aborts gets his own reason', async () => {
  const reason = new TypeError('enough');
  const signal = AbortSignal.abort(reason);
  await expect(open.fetch(`http://127.0.0.1:${port}/`, { signal })).rejects.toBe(reason);
});

test('addresses for other connections are refused as those of calls are', async () => {
  await expect(guarded.resolve('rebound.example')).rejects.toMatchObject({ code: 'address_refused' });
  const unknown = openChannelFetch({
    allowPrivate: true,
    resolveHost: (host) => lookUp(host, { all: true }),
  });
  await expect(unknown.resolve('nobody.invalid')).rejects.toMatchObject({ code: 'host_unreachable' });
  await unknown.close();
  expect(await open.resolve('127.0.0.1')).toEqual(['127.0.0.1']);
});
