import { expect, test } from 'vitest';
import { openPublicServer } from '../../../helpers/servers/open-public-server.ts';

const { askPublicly, askByAddress, openWorkspace, messagesOf } = await openPublicServer({
  app: { queryTimeoutMs: 100 },
  alter: ({ embedder }) => ({ embedder: { ...embedder, embedQuery: () => new Promise(() => {}) } }),
});

test('aborts a question that takes too long, in every format, without counting it', async () => {
  const { id, owner } = await openWorkspace();
  const responses = [
    await askPublicly(id, { query: 'Is it raining?' }),
    await askPublicly(id, { query: 'Is it raining?', mode: 'summarize' }),
    await askByAddress(id, { query: 'Is it raining?' }),
  ];
  for (const response of responses) {
    expect([response.statusCode, response.json().code]).toEqual([504, 'request_timeout']);
  }
  expect(await messagesOf(owner)).toBe(0);
});
