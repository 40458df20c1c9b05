import { expect, test } from 'vitest';
import { openConversationServer } from '../../../../helpers/servers/open-conversation-server.ts';

const { call, say, query, operate, workspace, runtime } = await openConversationServer();

test('deletes messages and notes with their conversation, which is then unreachable', async () => {
  const [id, other] = [await say(), await say()];
  await call('POST', `/conversations/${id}/notes`, { payload: { content: 'Hello' } });
  const response = await call('DELETE', `/conversations/${id}`);
  expect([response.statusCode, response.body]).toEqual([204, '']);
  for (const table of ['message', 'note'] as const) {
    const rows = await runtime.database.kysely
      .selectFrom(table)
      .select('id')
      .where('conversation_id', '=', id)
      .execute();
    expect(rows).toEqual([]);
  }
  const { conversations } = (await call('GET', `/conversations?workspace_id=${workspace.id}`)).json();
  expect(conversations.map((one: { id: string }) => one.id)).toEqual([other]);
  const continued = await query(workspace.key, { query: 'And now?', conversation_id: id });
  expect([continued.statusCode, continued.json().code]).toEqual([404, 'conversation_not_found']);
});

test('the operator can still read its audit log, including the deletion', async () => {
  const id = await say();
  await call('PATCH', `/conversations/${id}`, { payload: { priority: 'high' } });
  await call('DELETE', `/conversations/${id}`);
  const response = await operate('GET', `/workspaces/${workspace.id}/conversations/${id}/audit-log`);
  expect(response.json().audit_log).toMatchObject([
    { action: 'deleted', actor: 'Test', details: { status: 'open', message_count: 2 } },
    { action: 'priority_changed', actor: 'Test', details: { from: 'normal', to: 'high' } },
  ]);
});
