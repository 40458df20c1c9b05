import { expect, test } from 'vitest';
import { openConversationServer } from '../../../../helpers/servers/open-conversation-server.ts';

const { call, makeWorkspace, workspace, runtime } = await openConversationServer();
const gone = await makeWorkspace({ owner: workspace.owner });
await runtime.workspaces.delete(gone.id);

test.each(['ws_unknown', 'wt_12_ab', gone.id])('the workspace %s is not found', async (id) => {
  const response = await call('GET', `/conversations?workspace_id=${id}`);
  expect([response.statusCode, response.json().code]).toEqual([404, 'workspace_not_found']);
});
