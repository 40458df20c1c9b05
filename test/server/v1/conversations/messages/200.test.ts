import { expect, test } from 'vitest';
import { openConversationServer } from '../../../../helpers/servers/open-conversation-server.ts';

const { call, say } = await openConversationServer();
const id = await say({ question: 'Question 0' });
for (let count = 1; count < 30; count += 1) await say({ conversationId: id, question: `Question ${count}` });
const page = async (query: string) => {
  const response = await call('GET', `/conversations/${id}/messages${query}`);
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
};
const all = (await call('GET', `/conversations/${id}`)).json().messages;

test('returns fifty per page, oldest first, in the format of the conversation', async () => {
  const first = await page('');
  expect(first.messages).toEqual(all.slice(0, 50));
  expect(first.pagination.has_more).toBe(true);
  const second = await page(`?cursor=${first.pagination.next_cursor}`);
  expect(second).toEqual({ messages: all.slice(50), pagination: { next_cursor: null, has_more: false } });
});

test('returns the requested number, latest first', async () => {
  const latest = all.toReversed();
  const first = await page('?order=desc&limit=7');
  const second = await page(`?order=desc&limit=8&cursor=${first.pagination.next_cursor}`);
  expect([...first.messages, ...second.messages]).toEqual(latest.slice(0, 15));
});
