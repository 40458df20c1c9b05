import { expect, test } from 'vitest';
import { openConversationServer } from '../../../../helpers/servers/open-conversation-server.ts';

const { call } = await openConversationServer();

test.each([
  ['missing_field', ''],
  ['missing_field', '?status=nonsense'],
  ['invalid_workspace_id', '?workspace_id='],
  ['invalid_workspace_id', '?workspace_id=nonsense'],
  ['invalid_workspace_id', '?workspace_id=ws_1&workspace_id=ws_2'],
])('%s for "%s"', async (code, query) => {
  const response = await call('GET', `/conversations${query}`);
  expect([response.statusCode, response.json().code]).toEqual([400, code]);
});
