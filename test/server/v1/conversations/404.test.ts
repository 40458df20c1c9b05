import { describe, expect, test } from 'vitest';
import { openConversationServer } from '../../../helpers/servers/open-conversation-server.ts';

const { call, say, workspace, makeWorkspace, runtime } = await openConversationServer();
const stranger = await makeWorkspace();
const gone = await makeWorkspace({ owner: workspace.owner });
const free = await makeWorkspace({ owner: workspace.owner });
await runtime.workspaces.update(free.id, { plan: 'free' });
const deleted = await say();
await call('DELETE', `/conversations/${deleted}`);
const hidden = [
  ['that never existed', 'conv_unknown'],
  ['with an invalid id', "conv_'%20or%201=1"],
  ['with a NUL in its id', 'conv_%00'],
  ['that was deleted', deleted],
  ['of another owner', await say({ workspaceId: stranger.id })],
  ['of a workspace on the free plan', await say({ workspaceId: free.id })],
  ['of a deleted workspace', await say({ workspaceId: gone.id })],
] as const;
await runtime.workspaces.delete(gone.id);

describe.each([
  ['GET', '', undefined],
  ['GET', '/messages', undefined],
  ['POST', '/notes', { content: 'Hello' }],
  ['POST', '/messages/msg_1/feedback', { value: 'up' }],
  ['PATCH', '', { priority: 'high' }],
  ['DELETE', '', undefined],
] as const)('%s /conversations/{conversation_id}%s', (method, path, payload) => {
  test.each(hidden)('a conversation %s is not found', async (_, id) => {
    const response = await call(
      method,
      `/conversations/${id}${path}`,
      payload === undefined ? {} : { payload },
    );
    expect([response.statusCode, response.json().code]).toEqual([404, 'conversation_not_found']);
  });
});

test('a request that was not found changes nothing', async () => {
  const rows = await runtime.database.kysely.selectFrom('conversation').select(['id', 'priority']).execute();
  expect(rows.filter(({ priority }) => priority !== 'normal')).toEqual([]);
  expect(rows.length).toBe(3);
});
