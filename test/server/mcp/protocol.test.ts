import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { openMcpServer } from '../../helpers/servers/open-mcp-server.ts';

const { openWorkspace, send, urlOf } = await openMcpServer();
const { id } = await openWorkspace();

const initialize = (protocolVersion: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});
const numbersOf = (answers: unknown) =>
  z
    .array(z.object({ id: z.number() }))
    .parse(answers)
    .map((answer) => answer.id);
const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };

test.each([
  ['2025-11-25', '2025-11-25'],
  ['2025-06-18', '2025-06-18'],
  ['2025-03-26', '2025-03-26'],
  ['2024-11-05', '2024-11-05'],
  ['1999-01-01', LATEST_PROTOCOL_VERSION],
  ['2999-01-01', LATEST_PROTOCOL_VERSION],
])('answers a client of version %s with version %s', async (wanted, spoken) => {
  const response = await send(id, initialize(wanted));
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ id: 1, result: { protocolVersion: spoken } });
});

test('is stateless: any process can answer any request', async () => {
  const response = await send(id, list, { 'mcp-session-id': 'of-another-process' });
  expect([response.status, response.headers.get('mcp-session-id')]).toEqual([200, null]);
});

test('answers concurrent requests, each with its own result', async () => {
  const ids = Array.from({ length: 20 }, (_, index) => index);
  const responses = await Promise.all(ids.map((number) => send(id, { ...list, id: number })));
  const answered = await Promise.all(responses.map((response) => response.json()));
  expect(numbersOf(answered)).toEqual(ids);
});

test('accepts batches of older clients', async () => {
  const response = await send(id, [list, { ...list, id: 3, method: 'ping' }]);
  expect(numbersOf(await response.json()).sort()).toEqual([2, 3]);
});

test('accepts a notification without a response', async () => {
  const response = await send(id, { jsonrpc: '2.0', method: 'notifications/initialized' });
  expect([response.status, await response.text()]).toEqual([202, '']);
});

test('reports an unknown method', async () => {
  const response = await send(id, { ...list, method: 'no/such' });
  expect(await response.json()).toMatchObject({ id: 2, error: { code: -32_601 } });
});

test.each([
  ['an unknown version', list, { 'mcp-protocol-version': '1999-01-01' }, 400],
  ['an invalid message', { hello: 1 }, {}, 400],
  ['null', null, {}, 400],
  ['a client that does not accept JSON', list, { accept: 'text/html' }, 406],
])('rejects %s', async (_what, message, headers, status) => {
  const response = await send(id, message, headers);
  expect(response.status).toBe(status);
  expect(await response.text()).not.toMatch(/\bat \S+:\d+:\d+|node_modules/);
});

test.each(['GET', 'DELETE'])('offers no stream and no session to %s', async (method) => {
  const response = await fetch(urlOf(id), { method, headers: { accept: 'text/event-stream' } });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'OPTIONS, POST']);
  expect(await response.json()).toMatchObject({ code: 'method_not_allowed' });
});
