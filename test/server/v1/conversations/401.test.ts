import { expect, test } from 'vitest';
import { openConversationServer } from '../../../helpers/servers/open-conversation-server.ts';

const { app, call, say } = await openConversationServer();
const id = await say();
const operations = [
  ['GET', '/conversations'],
  ['GET', `/conversations/${id}`],
  ['GET', `/conversations/${id}/messages`],
  ['POST', `/conversations/${id}/notes`],
  ['PATCH', `/conversations/${id}`],
  ['DELETE', `/conversations/${id}`],
] as const;

test.each(operations)('%s %s checks the key before anything else', async (method, path) => {
  const without = await app.inject({ method, url: `/v1${path}` });
  expect([without.statusCode, without.json().code]).toEqual([401, 'missing_auth']);
  const wrong = await call(method, path, { key: 'pk_wrong' });
  expect([wrong.statusCode, wrong.json().code]).toEqual([401, 'invalid_key']);
});
