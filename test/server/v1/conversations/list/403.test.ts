import { expect, test } from 'vitest';
import { openConversationServer } from '../../../../helpers/servers/open-conversation-server.ts';

const { call, makeWorkspace, workspace, runtime } = await openConversationServer();

test.each([
  ['workspace_access_denied', 'of another owner', {}],
  ['feature_not_in_plan', 'on the free plan', { owner: workspace.owner }],
] as const)('%s for a workspace %s', async (code, _, fields) => {
  const other = await makeWorkspace(fields);
  await runtime.workspaces.update(other.id, { plan: 'free' });
  const response = await call('GET', `/conversations?workspace_id=${other.id}`);
  expect([response.statusCode, response.json().code]).toEqual([403, code]);
});
