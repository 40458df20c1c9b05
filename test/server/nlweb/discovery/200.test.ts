import { expect, test } from 'vitest';
import { openPublicServer } from '../../../helpers/servers/open-public-server.ts';

const { app, discover, openWorkspace } = await openPublicServer();

test('returns the interfaces of a workspace, with the URL of the request', async () => {
  const { id } = await openWorkspace({ name: 'Garden shop', settings: { description: 'All about spades.' } });
  const response = await discover(id, { host: 'shop.example:8443' });
  expect([response.statusCode, response.json()]).toEqual([
    200,
    {
      name: 'Garden shop',
      description: 'All about spades.',
      ask_url: `http://shop.example:8443/api/nlweb/${id}/ask`,
      mcp_url: `http://shop.example:8443/api/nlweb/${id}/mcp`,
      protocol: 'nlweb',
      version: 'v1',
    },
  ]);
});

test('contains no MCP server unless the owner has enabled it', async () => {
  const { id } = await openWorkspace({ settings: { mcp_enabled: false } });
  expect(Object.keys((await discover(id)).json())).not.toContain('mcp_url');
});

test('describes a workspace without a description', async () => {
  const { id } = await openWorkspace({ name: 'Garden shop' });
  expect((await discover(id)).json().description).toContain('Garden shop');
});

test('can be read by pages of any origin', async () => {
  const { id } = await openWorkspace();
  const response = await discover(id, { origin: 'https://elsewhere.example' });
  expect(response.headers['access-control-allow-origin']).toBe('*');
  const preflight = await app.inject({ method: 'OPTIONS', url: `/api/nlweb/${id}` });
  expect([preflight.statusCode, preflight.headers['access-control-allow-methods']]).toEqual([204, 'GET']);
});
