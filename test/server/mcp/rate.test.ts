import { expect, test } from 'vitest';
import { PublicRateLimit } from '../../../core/limits/public-rate.ts';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';

/** The clock is frozen, so that the bucket does not refill on a busy machine. */
const clock = { now: () => new Date('2026-01-01T00:00:00Z') };
const { app, makeWorkspace } = await openTestServer({
  alter: ({ database }) => ({ publicRate: new PublicRateLimit({ database: database.kysely, clock }) }),
});

const openWorkspace = () => makeWorkspace({ settings: { nlweb_enabled: true, mcp_enabled: true } });
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

const send = (id: string, payload: object) =>
  app.inject({
    method: 'POST',
    url: `/api/nlweb/${id}/mcp`,
    headers: { accept: 'application/json, text/event-stream' },
    payload,
  });

test('the MCP server and the public agent share a bucket', async () => {
  const { id } = await openWorkspace();
  for (let number = 0; number < 15; number += 1) {
    await send(id, ping);
    await app.inject({ method: 'POST', url: `/api/nlweb/${id}/ask`, payload: {} });
  }
  const response = await send(id, ping);
  expect([response.statusCode, response.json().code]).toEqual([429, 'rate_limit_minute']);
  expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
});

test('a batch counts as several requests', async () => {
  const { id } = await openWorkspace();
  expect((await send(id, Array(20).fill(ping))).statusCode).toBe(200);
  expect((await send(id, Array(11).fill(ping))).statusCode).toBe(429);
});
