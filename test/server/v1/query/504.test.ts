import { expect, test } from 'vitest';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';

const { query, makeWorkspace } = await openTestServer({
  app: { queryTimeoutMs: 100 },
  alter: ({ embedder }) => ({ embedder: { ...embedder, embedQuery: () => new Promise(() => {}) } }),
});

test('aborts a query that takes too long', async () => {
  const { key } = await makeWorkspace();
  const response = await query(key, { query: 'Do you sell socks?' });
  expect([response.statusCode, response.json().code]).toEqual([504, 'request_timeout']);
});
