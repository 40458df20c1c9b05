import { createServer, type RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GuardedRequest, guardedFetch } from '../../../core/base/http-client.ts';
import { freePort } from '../../helpers/servers/network/free-port.ts';

const limits = { maxBytes: 1_000, timeoutMs: 5_000 };
const open: GuardedRequest = { ...limits, allowPrivate: true };
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://test');
  routes[url.pathname]?.(request, response);
});
const other = createServer((request, response) => response.end(JSON.stringify(request.headers)));
let base = '';
let otherBase = '';
let calls = 0;

const redirect =
  (location: () => string): RequestListener =>
  (_request, response) =>
    response.writeHead(302, { location: location() }).end('moved');

const routes: Record<string, RequestListener> = {
  '/page': (_request, response) => {
    calls += 1;
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<p>Hello</p>');
  },
  '/missing': (_request, response) => response.writeHead(404).end('no'),
  '/moved': redirect(() => '/page#part'),
  '/round': redirect(() => '/round'),
  '/file': redirect(() => 'file:///etc/passwd'),
  '/elsewhere': redirect(() => otherBase),
  '/large': (_request, response) => response.end('x'.repeat(5_000)),
  '/bomb': (_request, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(1_000_000))),
  '/silent': () => {},
  '/echo': (request, response) => {
    request.setEncoding('utf8').on('data', (part: string) => response.write(`${request.method} ${part}`));
    request.on('end', () => response.end());
  },
};

async function listen(target: typeof server): Promise<string> {
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  const address = target.address();
  return typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : '';
}

beforeAll(async () => {
  [base, otherBase] = await Promise.all([listen(server), listen(other)]);
});
afterAll(() => {
  for (const each of [server, other]) {
    each.closeAllConnections();
    each.close();
  }
});

describe('guardedFetch', () => {
  test('returns the body, its type and the URL after redirects', async () => {
    const response = await guardedFetch(`${base}/moved`, open);
    expect(response).toMatchObject({ url: `${base}/page`, status: 200 });
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(text(response.bytes)).toBe('<p>Hello</p>');
  });

  test('sends the given request, and accepts any status as a response', async () => {
    const sent = await guardedFetch(`${base}/echo`, { ...open, method: 'POST', body: 'payload' });
    expect(text(sent.bytes)).toBe('POST payload');
    expect((await guardedFetch(`${base}/missing`, open)).status).toBe(404);
  });

  test('does not send headers that may contain secrets to another origin after a redirect', async () => {
    const headers = { Authorization: 'Bearer secret', 'X-Signature': 'secret', 'User-Agent': 'test' };
    const response = await guardedFetch(`${base}/elsewhere`, { ...open, headers });
    expect(text(response.bytes)).not.toContain('secret');
    expect(text(response.bytes)).toContain('"user-agent":"test"');
  });

  test('refuses a private address before anything is sent', async () => {
    const before = calls;
    const port = new URL(base).port;
    const spellings = ['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]'];
    for (const host of spellings) {
      await expect(guardedFetch(`http://${host}:${port}/page`, limits), host).rejects.toMatchObject({
        code: 'address_refused',
      });
    }
    expect(calls).toBe(before);
  });

  test('refuses a name with one private address among public ones', async () => {
    const resolveHost = async () => [
      { address: '8.8.8.8', family: 4 },
      { address: '10.0.0.7', family: 4 },
    ];
    await expect(guardedFetch('http://pages.test/', { ...limits, resolveHost })).rejects.toMatchObject({
      code: 'address_refused',
      message: 'pages.test (10.0.0.7) is not a public address.',
    });
  });

  test('refuses a name that resolves to a private address after the check', async () => {
    let resolved = 0;
    const resolveHost = async () => {
      resolved += 1;
      return [{ address: resolved === 1 ? '8.8.8.8' : '127.0.0.1', family: 4 }];
    };
    const address = `http://pages.test:${new URL(base).port}/page`;
    const before = calls;
    await expect(guardedFetch(address, { ...limits, timeoutMs: 150, resolveHost })).rejects.toThrow(address);
    expect({ resolved, calls }).toEqual({ resolved: 1, calls: before });
  });

  test.each([
    ['ftp://pages.test/'],
    ['file:///etc/passwd'],
    ['no address'],
    ['http://user:password@pages.test/'],
  ])('refuses %s', async (address) => {
    await expect(guardedFetch(address, open)).rejects.toMatchObject({ code: 'invalid_address' });
  });

  test('returns a redirect itself if it is to be kept', async () => {
    const { status, url, headers } = await guardedFetch(`${base}/moved`, { ...open, keepRedirects: true });
    expect([status, url]).toEqual([302, `${base}/moved`]);
    expect(headers.get('location')).toMatch(/page#part$/);
  });

  test('follows redirects to http(s) only, and a limited number', async () => {
    await expect(guardedFetch(`${base}/file`, open)).rejects.toMatchObject({ code: 'invalid_address' });
    await expect(guardedFetch(`${base}/round`, open)).rejects.toMatchObject({ code: 'too_many_redirects' });
  });

  test('stops at the size limit, also for a compressed body', async () => {
    await expect(guardedFetch(`${base}/large`, open)).rejects.toMatchObject({ code: 'too_large' });
    await expect(guardedFetch(`${base}/bomb`, open)).rejects.toMatchObject({ code: 'too_large' });
  });

  test('stops at the time limit if the host sends nothing', async () => {
    await expect(guardedFetch(`${base}/silent`, { ...open, timeoutMs: 100 })).rejects.toMatchObject({
      code: 'timed_out',
    });
  });

  test("throws the caller's abort reason", async () => {
    const reason = new RangeError('stopped');
    await expect(guardedFetch(`${base}/silent`, { ...open, signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
  });

  test('describes an unreachable host in words', async () => {
    const address = `http://127.0.0.1:${await freePort()}/`;
    await expect(guardedFetch(address, open)).rejects.toMatchObject({
      code: 'host_unreachable',
      message: `${address} cannot be reached: nothing listens there.`,
    });
  });
});
