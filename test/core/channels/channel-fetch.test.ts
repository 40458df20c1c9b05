import { lookup as lookUp } from 'node:dns/promises';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { openChannelFetch } from '../../../core/channels/connector-calls.ts';

let calls = 0;
const server = createServer(async (request, response) => {
  const { url, method, headers } = request;
  calls += 1;
  if (url === '/moved') response.writeHead(302, { location: '/elsewhere' }).end();
  else if (url === '/nothing') response.writeHead(204).end();
  else if (url === '/packed')
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('Unpacked.'));
  else if (url === '/endless') response.write('and so on');
  else if (url?.startsWith('/huge')) response.end(Buffer.alloc(17 * 2 ** 20));
  else if (url === '/echo?a=1') {
    const body = await text(request);
    response.writeHead(429, { 'retry-after': '7', 'set-cookie': ['a=1', 'b=2'] });
    response.end(
      JSON.stringify({ method, body, type: headers['content-type'], token: headers.authorization }),
    );
  } else response.end('Hello.');
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
])('refuses %s if private networks are not allowed, without naming its path', async (url, code) => {
  const before = calls;
  const error: unknown = await guarded.fetch(url).catch((fault: unknown) => fault);
  expect(error).toMatchObject({ name: 'FetchError', code });
  expect(String(error)).not.toContain('bot123');
  expect(calls).toBe(before);
});

test('calls the local host over http if private networks are allowed', async () => {
  const response = await open.fetch(`http://127.0.0.1:${port}/`);
  expect(response).toBeInstanceOf(Response);
  expect([response.status, await response.text()]).toEqual([200, 'Hello.']);
});

test('does not follow a redirect, which could carry a token to another host', async () => {
  const before = calls;
  const moved = open.fetch(`http://127.0.0.1:${port}/moved`);
  await expect(moved).rejects.toMatchObject({ code: 'host_unreachable' });
  expect(calls).toBe(before + 1);
});

test('rejects with the caller’s abort reason', async () => {
  const reason = new TypeError('enough');
  const signal = AbortSignal.abort(reason);
  await expect(open.fetch(`http://127.0.0.1:${port}/`, { signal })).rejects.toBe(reason);
});

describe('a posted text', () => {
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"ü":1}' };
  const post = (path: string, more: RequestInit = {}) =>
    open.fetch(`http://127.0.0.1:${port}${path}`, { ...init, ...more });

  test.each([
    ['with plain headers', { 'Content-Type': 'application/json', authorization: 'Bearer x' }],
    ['otherwise', new Headers({ 'content-type': 'application/json', authorization: 'Bearer x' })],
  ])('arrives and gets a complete response: %s', async (_, headers) => {
    const response = await post('/echo?a=1', { headers });
    expect(response).toBeInstanceOf(Response);
    expect([response.status, response.ok]).toEqual([429, false]);
    expect(response.headers.get('Retry-After')).toBe('7');
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(await response.json()).toEqual({
      method: 'POST',
      body: '{"ü":1}',
      type: 'application/json',
      token: 'Bearer x',
    });
  });

  test('may get an empty or a compressed response', async () => {
    expect((await post('/nothing')).status).toBe(204);
    expect(await (await post('/packed')).text()).toBe('Unpacked.');
  });

  test('is not sent on to a redirect’s target', async () => {
    const before = calls;
    await expect(post('/moved')).rejects.toMatchObject({ code: 'host_unreachable' });
    expect(calls).toBe(before + 1);
  });

  test('rejects with the abort reason, also during the response', async () => {
    const leaving = new AbortController();
    const endless = post('/endless', { signal: leaving.signal });
    const before = calls;
    await expect.poll(() => calls).toBe(before + 1);
    leaving.abort(new TypeError('enough'));
    await expect(endless).rejects.toThrow('enough');
  });

  test('fails on an endless response, naming only the host', async () => {
    await expect(post('/huge?token=abc')).rejects.toMatchObject({ code: 'host_unreachable' });
    const closed = open.fetch('http://127.0.0.1:9/bot123:abc', init).catch(String);
    expect(await closed).not.toContain('bot123');
  });

  test('is refused for private networks like any other call', async () => {
    const private10 = guarded.fetch('https://10.0.0.1/bot123:abc', init);
    await expect(private10).rejects.toMatchObject({ code: 'address_refused' });
  });
});

test('refuses addresses for other connections like those for calls', async () => {
  await expect(guarded.resolve('rebound.example')).rejects.toMatchObject({ code: 'address_refused' });
  const unknown = openChannelFetch({
    allowPrivate: true,
    resolveHost: (host) => lookUp(host, { all: true }),
  });
  await expect(unknown.resolve('nobody.invalid')).rejects.toMatchObject({ code: 'host_unreachable' });
  await unknown.close();
  expect(await open.resolve('127.0.0.1')).toEqual(['127.0.0.1']);
});
