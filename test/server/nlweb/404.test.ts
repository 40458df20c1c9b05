import { expect, test } from 'vitest';
import { openPublicServer } from '../../helpers/servers/open-public-server.ts';

const { app, runtime, openWorkspace, makeWorkspace } = await openPublicServer();

const closed = await makeWorkspace();
const switchedOff = await openWorkspace({ settings: { nlweb_enabled: false, mcp_enabled: false } });
const deleted = await openWorkspace();
await runtime.workspaces.delete(deleted.id);

const unknown: readonly (readonly [string, string])[] = [
  ['was never public', closed.id],
  ['is no longer public', switchedOff.id],
  ['was deleted', deleted.id],
  ['does not exist', 'ws_unknown'],
  ['has a malformed id', 'nonsense'],
  ['has an id that a database cannot store', 'ws_%00'],
  ['has an id that is far too long', `ws_${'a'.repeat(5_000)}`],
];

const surfaces = [
  ['GET', ''],
  ['GET', '/ask?query=Hello'],
  ['POST', '/ask'],
  ['POST', '/mcp'],
] as const;

test.each(unknown)('a workspace that %s is not found on any interface', async (_what, id) => {
  for (const [method, path] of surfaces) {
    const response = await app.inject({
      method,
      // Each from an address of its own: wrong ids of one address are limited.
      remoteAddress: `10.1.0.${unknown.findIndex(([, other]) => other === id)}`,
      url: `/api/nlweb/${id}${path}`,
      ...(method === 'POST' ? { payload: { query: 'Do you sell socks?' } } : {}),
    });
    expect([response.statusCode, response.json()], `${method} ${path}`).toEqual([
      404,
      {
        code: 'workspace_not_found',
        detail: expect.any(String),
        request_id: response.headers['x-request-id'],
      },
    ]);
  }
});

test('an unknown workspace takes no token', async () => {
  const { rows } = await runtime.database.pool.query('select name from token_bucket');
  expect(rows).toEqual([]);
});

test('a page of another origin can read the 404', async () => {
  const response = await app.inject({ method: 'GET', url: '/api/nlweb/ws_unknown' });
  expect(response.headers['access-control-allow-origin']).toBe('*');
});

test('the MCP server and the public agent are enabled separately', async () => {
  const { id } = await openWorkspace({ settings: { mcp_enabled: false } });
  const statusOf = async (path: string) =>
    (
      await app.inject({
        method: 'POST',
        url: `/api/nlweb/${id}${path}`,
        payload: { query: 'Do you sell socks?' },
      })
    ).statusCode;
  expect([await statusOf('/ask'), await statusOf('/mcp')]).toEqual([200, 404]);
});
