import { expect, test } from 'vitest';
import { openConversationServer } from '../../../../helpers/servers/open-conversation-server.ts';

const { call, say, app, workspace } = await openConversationServer();
const id = await say();

test.each([[{}], [{ author_email: 'ann@shop.example' }]])(
  'reports the missing content in %j',
  async (payload) => {
    const response = await call('POST', `/conversations/${id}/notes`, { payload });
    expect([response.statusCode, response.json().code]).toEqual([400, 'missing_field']);
  },
);

test('rejects a body that is not JSON', async () => {
  const response = await app.inject({
    method: 'POST',
    url: `/v1/conversations/${id}/notes`,
    headers: { authorization: `Bearer ${workspace.key}`, 'content-type': 'application/json' },
    payload: '{',
  });
  expect([response.statusCode, response.json().code]).toEqual([400, 'invalid_json']);
});
