import { expect, test } from 'vitest';
import { heldWriter } from '../../../helpers/models/held-writer.ts';
import { openStreamServer } from '../../../helpers/servers/open-stream-server.ts';

const server = await openStreamServer({ writer: heldWriter() });
const { runtime, stream, makeWorkspace } = server;

test.each([
  ['minute', { rateLimitMinute: 1 }],
  ['day', { rateLimitDay: 1 }],
] as const)('rejects a key over its limit of the %s', async (window, limits) => {
  const { id } = await makeWorkspace();
  const { value: key } = await runtime.apiKeys.create(id, { name: 'Test', ...limits });
  expect((await stream(key, { query: 'Do you sell socks?' })).statusCode).toBe(200);
  const response = await stream(key, { query: 'Do you sell socks?' });
  expect([response.statusCode, response.json().code]).toEqual([429, `rate_limit_${window}`]);
  expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
});

test("rejects a stream if the owner's quota is exhausted", async () => {
  const { owner, key } = await makeWorkspace();
  await stream(key, { query: 'Do you sell socks?' });
  await runtime.database.kysely
    .updateTable('owner_usage')
    .set({ messages: 2_000 })
    .where('owner_id', '=', owner)
    .execute();
  const response = await stream(key, { query: 'Do you sell socks?' });
  expect([response.statusCode, response.json().code]).toEqual([429, 'quota_exhausted']);
});

test('a key has at most fifty streams, until one ends', async () => {
  const open = await Promise.all(Array.from({ length: 50 }, () => server.openUnread()));
  const refused = await server.post();
  expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toMatchObject([
    429,
    '1',
    { code: 'rate_limit_concurrent' },
  ]);
  const stored = server.stores.stored();
  open[0]?.destroy();
  await stored;
  const taken = await server.openUnread();
  expect(taken.statusCode).toBe(200);
  for (const response of [...open, taken]) response.destroy();
  await server.app.drain();
});
