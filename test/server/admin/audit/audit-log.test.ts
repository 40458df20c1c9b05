import { expect, test } from 'vitest';
import { openConversationServer } from '../../../helpers/servers/open-conversation-server.ts';

const { call, say, pass, operate, workspace, makeWorkspace } = await openConversationServer();
const other = await makeWorkspace();
const id = await say();
for (const priority of ['high', 'low', 'urgent']) {
  pass(1_000);
  await call('PATCH', `/conversations/${id}`, { payload: { priority } });
}
const read = (query = '', { conversation = id, of = workspace.id } = {}) =>
  operate('GET', `/workspaces/${of}/conversations/${conversation}/audit-log${query}`);

test('200: returns the changes of a conversation in pages, newest first', async () => {
  const first = (await read('?limit=2')).json();
  const second = (await read(`?limit=2&cursor=${first.pagination.next_cursor}`)).json();
  const told = [...first.audit_log, ...second.audit_log].map((entry) => entry.details.to);
  expect([told, second.pagination]).toEqual([
    ['urgent', 'low', 'high'],
    { next_cursor: null, has_more: false },
  ]);
});

test('200: returns an empty list for a conversation without changes', async () => {
  expect((await read('', { conversation: await say() })).json().audit_log).toEqual([]);
});

test.each([
  ['that never existed', 'conv_unknown', workspace.id],
  ['with an invalid id', 'conv-1', workspace.id],
  ['of another workspace', id, other.id],
])('404: a conversation %s', async (_, conversation, of) => {
  const response = await read('', { conversation, of });
  expect([response.statusCode, response.json().code]).toEqual([404, 'conversation_not_found']);
});

test('422: rejects a cursor of another list', async () => {
  const response = await read('?cursor=nonsense');
  expect([response.statusCode, response.json().code]).toEqual([422, 'invalid_cursor']);
});
