import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openWidgetServer } from '../../helpers/servers/open-widget-server.ts';

const server = await openWidgetServer();
const shop = await server.openShop({ slug: 'squeezed' }, {}, 'hosted');
const { publicToken } = await server.openShop();
const question = 'How many working days until parcels arrive?';
const inject = (url: string, encoding: string, headers: Record<string, string> = {}) =>
  server.app.inject({ method: 'GET', url, headers: { 'accept-encoding': encoding, ...headers } });
const unpack = { br: brotliDecompressSync, gzip: gunzipSync } as const;

test.each(['/docs/scalar.js', '/openapi.json', '/c/squeezed', `/widget/${publicToken}/config`])(
  '%s is compressed as the client accepts, with the same text in every encoding',
  async (url) => {
    const plain = await inject(url, 'identity');
    expect([plain.statusCode, plain.headers['content-encoding']]).toEqual([200, undefined]);
    for (const [encoding, open] of Object.entries(unpack)) {
      const packed = await inject(url, `${encoding}, deflate`);
      expect([packed.statusCode, packed.headers['content-encoding']]).toEqual([200, encoding]);
      expect(String(packed.headers.vary).toLowerCase()).toContain('accept-encoding');
      expect(packed.headers['x-request-id']).toBeDefined();
      expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2);
      expect(open(packed.rawPayload).toString()).toBe(plain.body);
    }
    const any = await inject(url, '*');
    expect(any.headers['content-encoding']).toBe('gzip');
    const refused = await inject(url, 'br;q=0, gzip;q=0');
    expect(refused.headers['content-encoding']).toBeUndefined();
  },
);

test.each(['/docs/scalar.js', '/openapi.json'])(
  '%s is not sent again to a client that has it',
  async (url) => {
    const first = await inject(url, 'br');
    const tag = String(first.headers.etag);
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`]) {
      const again = await inject(url, 'br', { 'if-none-match': known });
      expect([again.statusCode, again.body]).toEqual([304, '']);
    }
    expect((await inject(url, 'br', { 'if-none-match': '"other"' })).statusCode).toBe(200);
  },
);

test('small responses stay uncompressed, and API responses over 1 kB are compressed', async () => {
  const small = await inject('/healthz', 'br');
  expect(small.headers['content-encoding']).toBeUndefined();
  await server.addDocument(shop.id, 'Returns are free. '.repeat(40));
  const ask = (encoding: string) =>
    server.app.inject({
      method: 'POST',
      url: '/v1/query',
      headers: { authorization: `Bearer ${shop.key}`, 'accept-encoding': encoding },
      payload: { query: 'Are returns free?' },
    });
  const plain = await ask('identity');
  const packed = await ask('gzip');
  expect(plain.rawPayload.length).toBeGreaterThan(1_024);
  expect([plain.headers['content-encoding'], packed.headers['content-encoding']]).toEqual([
    undefined,
    'gzip',
  ]);
  expect(JSON.parse(gunzipSync(packed.rawPayload).toString()).answer).toBe(plain.json().answer);
});

test('event streams are neither compressed nor buffered', async () => {
  const session = await fetch(`${server.address}/v1/query/stream`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${shop.key}`,
      'accept-encoding': 'br, gzip',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ query: question }),
  });
  expect(session.headers.get('content-type')).toContain('text/event-stream');
  expect(session.headers.get('content-encoding')).toBeNull();
  expect(await session.text()).toContain('"done":true');
});

test('a page with text of its URL next to private messages is not compressed', async () => {
  const asked = await server.app.inject({
    method: 'POST',
    url: '/c/squeezed',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ query: question }).toString(),
  });
  const cookie = String(asked.headers['set-cookie']).split(';')[0] ?? '';
  const encodingOf = async (url: string, headers = {}) =>
    (await inject(url, 'br', headers)).headers['content-encoding'];
  expect(await encodingOf('/c/squeezed?q=three+working+days', { cookie })).toBeUndefined();
  expect(await encodingOf('/c/squeezed', { cookie })).toBe('br');
  expect(await encodingOf('/c/squeezed?q=three+working+days')).toBe('br');
});

test('a compressed request is rejected, however small it is', async () => {
  const refused = await server.app.inject({
    method: 'POST',
    url: '/v1/query',
    headers: {
      authorization: `Bearer ${shop.key}`,
      'content-type': 'application/json',
      'content-encoding': 'gzip',
    },
    payload: Buffer.from('H4sIAAAAAAAAA6tWKk0tqlSyUlAqVqoFAKKmPbwRAAAA', 'base64'),
  });
  expect(refused.statusCode).toBeGreaterThanOrEqual(400);
  expect(refused.statusCode).toBeLessThan(500);
});
