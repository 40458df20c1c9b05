import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { beforeAll, describe, expect, test } from 'vitest';
import { errorCatalogue } from '../../core/base/error-catalogue.ts';
import { openTestServer } from '../helpers/servers/open-test-server.ts';

const logged: { level: number; msg: string }[] = [];
const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
const { app, query, makeWorkspace } = await openTestServer({ alter: () => ({ log }) });
const { id, key } = await makeWorkspace();
let address = '';
beforeAll(async () => {
  address = await app.listen({ port: 0 });
});

/** Sends raw bytes and reads until the server closes the connection. */
async function raw(bytes: string): Promise<string> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.write(bytes, () => resolve());
  });
  return text(socket);
}

describe('every error', () => {
  test.each([
    ['an unknown route', 'GET', '/nowhere', 'route_not_found'],
    ['an unknown route below a known one', 'POST', '/v1/query/nowhere', 'route_not_found'],
    ['a malformed URL', 'GET', '/%zz', 'malformed_request'],
    ['a malformed parameter', 'GET', '/admin/v1/workspaces/%c0%ae', 'malformed_request'],
    ['an unsupported method', 'GET', '/v1/query', 'method_not_allowed'],
    ['an unsupported method with a body', 'PUT', '/v1/query', 'method_not_allowed'],
  ] as const)('has the common format: %s', async (_what, method, url, code) => {
    const response = await app.inject({ method, url, ...(method === 'PUT' ? { payload: 'x' } : {}) });
    expect([response.statusCode, response.json()]).toEqual([
      errorCatalogue[code].status,
      { code, detail: errorCatalogue[code].text, request_id: response.headers['x-request-id'] },
    ]);
    expect(response.headers['content-type']).toMatch(/^application\/json/);
  });

  test.each([
    ['/v1/query', 'POST'],
    ['/healthz', 'GET, HEAD'],
    ['/admin/v1/workspaces', 'GET, HEAD, POST'],
    [`/admin/v1/workspaces/${id}`, 'DELETE, GET, HEAD, PATCH'],
    [`/admin/v1/workspaces/${id}/documents`, 'GET, HEAD, POST'],
  ])('of an unsupported method on %s lists the supported ones', async (url, allow) => {
    const response = await app.inject({ method: 'PUT', url });
    expect([response.statusCode, response.headers.allow]).toEqual([405, allow]);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/xml',
    'nonsense',
    'application/jsonp',
  ])('of the content type %s is unsupported_media_type', async (type) => {
    const response = await app.inject({
      method: 'POST',
      url: '/v1/query',
      headers: { authorization: `Bearer ${key}`, 'content-type': type },
      payload: '{"query":"Do you sell socks?"}',
    });
    expect([response.statusCode, response.json().code]).toEqual([415, 'unsupported_media_type']);
    expect(response.json().detail).toContain('Send the body with Content-Type: application/json');
  });

  test('has the common format for requests that are not HTTP', async () => {
    const answer = await raw('NONSENSE\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({ code: 'malformed_request' });
  });

  test('has the common format for headers that are too large', async () => {
    const answer = await raw(`GET /healthz HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({ code: 'headers_too_large' });
  });
});

describe('a body', () => {
  test('is JSON with any charset parameter', async () => {
    const response = await app.inject({
      method: 'POST',
      url: '/v1/query',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json; charset=utf-8' },
      payload: '{"query":"Do you sell socks?"}',
    });
    expect(response.statusCode).toBe(200);
  });

  test('of 1 MiB is read, and one more byte is too large', async () => {
    const shell = JSON.stringify({ query: 'Do you sell socks?', filler: '' }).length;
    const filler = 'x'.repeat(2 ** 20 - shell);
    expect((await query(key, { query: 'Do you sell socks?', filler })).statusCode).toBe(200);
    const response = await query(key, { query: 'Do you sell socks?', filler: `${filler}x` });
    expect([response.statusCode, response.json().code]).toEqual([413, 'payload_too_large']);
  });

  test('that is far too large gets a response even if the client reads only after it has sent everything', async () => {
    const head = [
      'POST /v1/query HTTP/1.1',
      'Host: x',
      'Connection: close',
      'Content-Type: application/json',
    ];
    const length = 20 * 2 ** 20;
    const lines = [...head, `Authorization: Bearer ${key}`, `Content-Length: ${length}`];
    const answer = await raw(`${lines.join('\r\n')}\r\n\r\n${'x'.repeat(length)}`);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('payload_too_large');
  });

  test('may contain property names that are special in JavaScript', async () => {
    const response = await app.inject({
      method: 'POST',
      url: '/v1/query',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      payload:
        '{"query":"Do you sell socks?","__proto__":{"x":1},"metadata":{"constructor":{"prototype":1}}}',
    });
    expect(response.statusCode).toBe(200);
  });
});

describe('X-Request-Id', () => {
  const idOf = async (given?: string) => {
    const headers = given === undefined ? {} : { 'x-request-id': given };
    return (await app.inject({ method: 'GET', url: '/healthz', headers })).headers['x-request-id'];
  };

  test('is generated for each request without one', async () => {
    const [one, other] = [await idOf(), await idOf()];
    expect(one).toMatch(/^req_\w+$/);
    expect(other).not.toBe(one);
  });

  test.each(['abc', '!~"', 'x'.repeat(128)])("keeps the client's own value: %s", async (given) => {
    expect(await idOf(given)).toBe(given);
  });

  test.each(['', 'a b', 'é', 'x'.repeat(129), 'a\tb'])('replaces %j', async (given) => {
    expect(await idOf(given)).toMatch(/^req_\w+$/);
  });

  test('is on every response', async () => {
    const found = await query(key, { query: 'Do you sell socks?' });
    expect(found.headers['x-request-id']).toMatch(/^req_/);
    expect(await raw('NONSENSE\r\n\r\n')).toMatch(/X-Request-Id: req_/);
  });
});

describe('the log', () => {
  test('contains one line per request, without query strings and keys', async () => {
    logged.length = 0;
    await app.inject({
      method: 'GET',
      url: '/nowhere?secret=open-sesame',
      headers: { authorization: 'Bearer open-sesame' },
    });
    const line = { level: 30, method: 'GET', route: '/nowhere', status: 404, code: 'route_not_found' };
    expect(logged).toEqual([expect.objectContaining(line)]);
    expect(JSON.stringify(logged)).not.toContain('sesame');
  });

  test('does not log a client that disconnects as an error', async () => {
    logged.length = 0;
    const { hostname, port } = new URL(address);
    const request = httpRequest({
      host: hostname,
      port,
      method: 'POST',
      path: '/v1/query',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'content-length': 1_000,
      },
    });
    const gone = new Promise((resolve) => request.once('error', resolve));
    const arrived = new Promise((resolve) =>
      app.server.once('request', (incoming) => incoming.once('close', resolve)),
    );
    request.write('{"query":', () => setImmediate(() => request.destroy(new Error('left'))));
    await Promise.all([gone, arrived]);
    await app.inject({ method: 'GET', url: '/nowhere' });
    expect(logged.filter(({ level }) => level > 30)).toEqual([]);
  });
});
