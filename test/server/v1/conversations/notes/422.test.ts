import { expect, test } from 'vitest';
import { openConversationServer } from '../../../../helpers/servers/open-conversation-server.ts';

const { call, say } = await openConversationServer();
const id = await say();

test.each([
  ['invalid_body', ['content']],
  ['invalid_content', { content: '' }],
  ['invalid_content', { content: '  ' }],
  ['invalid_content', { content: 7 }],
  ['invalid_content', { content: null }],
  ['invalid_author_email', { content: 'Hello', author_email: 'ann' }],
  ['invalid_author_email', { content: 'Hello', author_email: '' }],
  ['invalid_author_email', { content: 'Hello', author_email: 7 }],
  ['invalid_author_email', { content: 'Hello', author_email: `${'a'.repeat(320)}@x.com` }],
])('%s for %j, and no note is added', async (code, payload) => {
  const response = await call('POST', `/conversations/${id}/notes`, { payload });
  expect([response.statusCode, response.json().code]).toEqual([422, code]);
  expect((await call('GET', `/conversations/${id}`)).json().internal_notes).toEqual([]);
});
