import { expect, test } from 'vitest';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';

const { app, operate, makeWorkspace } = await openTestServer();
const workspace = await makeWorkspace();

const paths: readonly (readonly ['GET' | 'POST' | 'PATCH' | 'DELETE', string])[] = [
  ['POST', '/workspaces'],
  ['GET', '/workspaces'],
  ['GET', `/workspaces/${workspace.id}`],
  ['PATCH', `/workspaces/${workspace.id}`],
  ['DELETE', `/workspaces/${workspace.id}`],
  ['POST', `/workspaces/${workspace.id}/keys`],
  ['GET', `/workspaces/${workspace.id}/keys`],
  ['DELETE', `/workspaces/${workspace.id}/keys/key_1`],
  ['POST', `/workspaces/${workspace.id}/documents`],
  ['GET', `/workspaces/${workspace.id}/documents`],
  ['GET', `/workspaces/${workspace.id}/documents/doc_1`],
  ['DELETE', `/workspaces/${workspace.id}/documents/doc_1`],
  ['POST', `/workspaces/${workspace.id}/search`],
];

/** Routes that take a key, too, which lacks the scope here. */
const scoped = /\/(documents|search)/;

test.each(paths)('%s %s requires the operator token', async (method, path) => {
  const codes = [];
  // Each route uses its own IP address, because an address is throttled after twenty failures in a minute.
  const remoteAddress = `198.51.100.${paths.findIndex((one) => one[0] === method && one[1] === path)}`;
  for (const authorization of [
    undefined,
    'Bearer',
    `Bearer ${workspace.key}`,
    'Bearer a-token-for-the-test',
  ]) {
    const headers = authorization === undefined ? {} : { authorization };
    const response = await app.inject({ method, url: `/admin/v1${path}`, headers, remoteAddress });
    codes.push(response.json().code);
  }
  const ofKey = scoped.test(path) ? 'insufficient_scope' : 'invalid_key';
  expect(codes).toEqual(['missing_auth', 'malformed_auth', ofKey, 'invalid_key']);
});

test('accepts the operator token', async () => {
  expect((await operate('GET', '/workspaces')).statusCode).toBe(200);
});

const belowWorkspaces = paths.filter(([, path]) => path.includes(workspace.id));

test.each(belowWorkspaces)('%s %s rejects malformed and unknown workspace ids', async (method, path) => {
  const body =
    method === 'POST'
      ? { name: 'N', content: 'C', query: 'Q' }
      : method === 'PATCH'
        ? { name: 'N' }
        : undefined;
  const malformed = await operate(method, path.replace(workspace.id, 'nonsense'), body);
  const unknown = await operate(method, path.replace(workspace.id, 'ws_unknown'), body);
  expect([malformed.statusCode, malformed.json().code]).toEqual([400, 'invalid_workspace_id']);
  expect([unknown.statusCode, unknown.json().code]).toEqual([404, 'workspace_not_found']);
});

test('accepts the previous token while ADMIN_TOKEN_PREVIOUS contains it', async () => {
  const during = await openTestServer({
    runtime: {
      environment: { ADMIN_TOKEN: 'the-new-token-of-all', ADMIN_TOKEN_PREVIOUS: 'the-former-token-of-all' },
    },
  });
  const statusWith = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    return (await during.app.inject({ url: '/admin/v1/workspaces', headers })).statusCode;
  };
  expect(await statusWith('the-new-token-of-all')).toBe(200);
  expect(await statusWith('the-former-token-of-all')).toBe(200);
  expect(await statusWith('another-token-of-all')).toBe(401);
});
