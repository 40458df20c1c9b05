import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';

const { stream, makeWorkspace } = await openTestServer();
const workspace = await makeWorkspace();
const strict = await makeWorkspace({ settings: { require_identity_verification: true } });
const user_id = 'u-1';
const hash = createHmac('sha256', strict.identitySecret).update(user_id).digest('hex');

async function codeOf(key: string, fields: object = {}) {
  const response = await stream(key, { query: 'Do you sell socks?', ...fields });
  return [response.statusCode, response.json().code];
}

test('rejects the free plan', async () => {
  const free = await makeWorkspace({ plan: 'free' });
  expect(await codeOf(free.key)).toEqual([403, 'feature_not_in_plan']);
});

test('rejects a workspace of another owner', async () => {
  expect(await codeOf(workspace.key, { workspace_id: strict.id })).toEqual([403, 'workspace_access_denied']);
});

test('requires an identity proof before the stream starts if the workspace requires one', async () => {
  const required = [403, 'verification_required'];
  expect(await codeOf(strict.key)).toEqual(required);
  expect(await codeOf(strict.key, { user: { user_id, hash: `${hash.slice(1)}0` } })).toEqual(required);
  expect(
    (await stream(strict.key, { query: 'Do you sell socks?', user: { user_id, hash } })).statusCode,
  ).toBe(200);
});
