import { describe, expect, test } from 'vitest';
import { isAllowedOrigin } from '../../../server/mcp/mcp.ts';
import { openPublicServer } from '../../helpers/servers/open-public-server.ts';

describe('allowed origins', () => {
  const doors = { host: 'agents.example', publicUrl: undefined, allowedDomains: ['shop.example'] };

  test.each([
    ['of an allowed domain', 'https://shop.example', doors],
    ['of an allowed domain, at any port', 'http://shop.example:3000', doors],
    [
      'of the configured URL',
      'https://agents.example',
      { ...doors, publicUrl: 'https://agents.example/parley' },
    ],
    [
      'of the server itself, by name on this machine',
      'http://localhost:8080',
      { ...doors, host: 'localhost:8080' },
    ],
    ['of the server itself, by address', 'http://127.0.0.1:8080', { ...doors, host: '127.0.0.1:8080' }],
    ['of the server itself, by IPv6 address', 'http://[::1]:8080', { ...doors, host: '[::1]:8080' }],
    ['of the default port', 'http://10.0.0.7', { ...doors, host: '10.0.0.7' }],
  ])('%s', (_what, origin, given) => {
    expect(isAllowedOrigin(origin, given)).toBe(true);
  });
});

describe('rejected origins', () => {
  const doors = {
    host: '127.0.0.1:8080',
    publicUrl: 'https://agents.example',
    allowedDomains: ['shop.example'],
  };

  test.each([
    ['of another origin', 'https://evil.example', doors],
    [
      'of a name that points to the server (DNS rebinding)',
      'http://evil.example',
      { ...doors, host: 'evil.example' },
    ],
    ['of a name that ends like an allowed one', 'https://notshop.example', doors],
    ['of a name that begins like an allowed one', 'https://shop.example.evil.example', doors],
    ['of the configured host, but unencrypted', 'http://agents.example', doors],
    ['of another server on the machine', 'http://127.0.0.1:9000', doors],
    ['of an opaque origin', 'null', doors],
    ['of an empty origin', '', doors],
    ['of a file', 'file:///tmp/page.html', doors],
    ['of an extension', 'chrome-extension://abc', doors],
  ])('%s', (_what, origin, given) => {
    expect(isAllowedOrigin(origin, given)).toBe(false);
  });
});

describe('over HTTP', async () => {
  const { app, openWorkspace, runtime } = await openPublicServer();
  const { id } = await openWorkspace({ settings: { allowed_domains: ['shop.example'] } });
  const call = (method: 'POST' | 'OPTIONS', origin?: string) =>
    app.inject({
      method,
      url: `/api/nlweb/${id}/mcp`,
      headers: {
        accept: 'application/json, text/event-stream',
        ...(origin === undefined ? {} : { origin }),
      },
      ...(method === 'POST' ? { payload: { jsonrpc: '2.0', id: 1, method: 'ping' } } : {}),
    });

  test('a page of an allowed origin can read the response, and no other page can', async () => {
    const response = await call('POST', 'https://shop.example');
    expect([response.statusCode, response.json()]).toEqual([200, { jsonrpc: '2.0', id: 1, result: {} }]);
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': 'https://shop.example',
      vary: 'Origin',
      'x-request-id': expect.stringMatching(/^req_/),
    });
  });

  test('answers the preflight of an allowed page', async () => {
    const response = await call('OPTIONS', 'https://shop.example');
    expect(response.statusCode).toBe(204);
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': 'https://shop.example',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': expect.stringContaining('MCP-Protocol-Version'),
    });
  });

  test.each(['POST', 'OPTIONS'] as const)('rejects a %s of any other origin at no cost', async (method) => {
    const buckets = async () => (await runtime.database.pool.query('select tokens from token_bucket')).rows;
    const before = await buckets();
    const response = await call(method, 'https://evil.example');
    expect([response.statusCode, response.json().code]).toEqual([403, 'origin_not_allowed']);
    expect(response.headers).not.toHaveProperty('access-control-allow-origin');
    expect(await buckets()).toEqual(before);
  });

  test('answers clients without an origin', async () => {
    expect((await call('POST')).statusCode).toBe(200);
  });
});
