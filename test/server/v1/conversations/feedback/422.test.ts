import { expect, test } from 'vitest';
import { openConversationServer } from '../../../../helpers/servers/open-conversation-server.ts';

const { call, say } = await openConversationServer();
const id = await say();
const answer = async () => (await call('GET', `/conversations/${id}`)).json().messages[1];
const path = `/conversations/${id}/messages/${(await answer()).id}/feedback`;

test.each([
  [422, 'invalid_body', ['up']],
  [400, 'missing_field', {}],
  [400, 'missing_field', { comment: 'Nice' }],
  [422, 'invalid_value', { value: 'good' }],
  [422, 'invalid_value', { value: true }],
  [422, 'invalid_value', { value: '' }],
  [422, 'invalid_comment', { value: 'up', comment: 7 }],
  [422, 'invalid_comment', { value: 'up', comment: 'x'.repeat(4_001) }],
])('%i %s for %j, and nothing is stored', async (status, code, payload) => {
  const response = await call('POST', path, { payload });
  expect([response.statusCode, response.json().code]).toEqual([status, code]);
  expect(await answer()).toMatchObject({ feedback: null });
});
