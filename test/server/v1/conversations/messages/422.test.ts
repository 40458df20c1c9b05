import { expect, test } from 'vitest';
import { openConversationServer } from '../../../../helpers/servers/open-conversation-server.ts';

const { call, say } = await openConversationServer();
const [id, other] = [await say(), await say()];
const page = (query: string, of = id) => call('GET', `/conversations/${of}/messages?${query}`);

test.each([
  ['invalid_limit', 'limit=0'],
  ['invalid_limit', 'limit=101'],
  ['invalid_limit', 'limit=x'],
  ['invalid_order', 'order=newest'],
  ['invalid_order', 'order='],
  ['invalid_cursor', 'cursor='],
  ['invalid_cursor', 'cursor=abc'],
])('%s for %s', async (code, query) => {
  const response = await page(query);
  expect([response.statusCode, response.json().code]).toEqual([422, code]);
});

test('a cursor only works with its own conversation and order', async () => {
  const { next_cursor: cursor } = (await page('limit=1')).json().pagination;
  expect((await page(`cursor=${cursor}`)).statusCode).toBe(200);
  for (const response of [await page(`cursor=${cursor}`, other), await page(`cursor=${cursor}&order=desc`)]) {
    expect([response.statusCode, response.json().code]).toEqual([422, 'invalid_cursor']);
  }
});
