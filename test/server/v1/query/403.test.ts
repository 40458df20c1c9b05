import { createHmac } from 'node:crypto';
import { SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';

const { query, makeWorkspace, runtime } = await openTestServer();
const workspace = await makeWorkspace();
const strict = await makeWorkspace({ settings: { require_identity_verification: true } });

async function codeOf(key: string, fields: object = {}) {
  const response = await query(key, { query: 'Do you sell socks?', ...fields });
  return [response.statusCode, response.json().code];
}

const messageCount = async () =>
  (await runtime.database.kysely.selectFrom('message').select('id').execute()).length;

describe('the plan', () => {
  test('free has no access, whatever the body contains', async () => {
    const free = await makeWorkspace({ plan: 'free' });
    expect(await codeOf(free.key)).toEqual([403, 'feature_not_in_plan']);
    expect((await query(free.key, {})).json().code).toBe('feature_not_in_plan');
  });

  test('free has no access with a key of another workspace of the owner either', async () => {
    const free = await makeWorkspace({ owner: workspace.owner });
    await runtime.workspaces.update(free.id, { plan: 'free' });
    expect(await codeOf(workspace.key, { workspace_id: free.id })).toEqual([403, 'feature_not_in_plan']);
  });
});

test('rejects a workspace of another owner', async () => {
  expect(await codeOf(workspace.key, { workspace_id: strict.id })).toEqual([403, 'workspace_access_denied']);
});

describe('identity verification', () => {
  const hashOf = (userId: string, secret = strict.identitySecret) =>
    createHmac('sha256', secret).update(userId).digest('hex');
  const tokenOf = (claims: object, secret = strict.identitySecret, algorithm = 'HS256') =>
    new SignJWT({ sub: 'u-1', exp: Math.floor(Date.now() / 1_000) + 60, ...claims })
      .setProtectedHeader({ alg: algorithm })
      .sign(
        new TextEncoder().encode(secret.padEnd(64, '0').slice(0, algorithm === 'HS256' ? secret.length : 64)),
      );

  test('is required if the workspace says so', async () => {
    expect(await codeOf(strict.key)).toEqual([403, 'verification_required']);
    expect(await codeOf(strict.key, { user: { user_id: 'u-1' } })).toEqual([403, 'verification_required']);
  });

  test.each([
    ['of another user', hashOf('u-2')],
    ['with another secret', hashOf('u-1', workspace.identitySecret)],
    ['in upper case', hashOf('u-1').toUpperCase()],
    ['that is truncated', hashOf('u-1').slice(1)],
    ['empty', ''],
    ['with other characters', 'é'.repeat(32)],
  ])('rejects a hash %s', async (_what, hash) => {
    expect(await codeOf(strict.key, { user: { user_id: 'u-1', hash } })).toEqual([
      403,
      'verification_required',
    ]);
  });

  test('rejects an invalid hash even if none is required', async () => {
    expect(await codeOf(workspace.key, { user: { user_id: 'u-1', hash: hashOf('u-1') } })).toEqual([
      403,
      'verification_required',
    ]);
  });

  test.each([
    ['that has expired', () => tokenOf({ exp: Math.floor(Date.now() / 1_000) - 1 })],
    ['without an expiry', () => tokenOf({ exp: undefined })],
    ['without a subject', () => tokenOf({ sub: undefined })],
    ['with an empty subject', () => tokenOf({ sub: '' })],
    ['with another secret', () => tokenOf({}, workspace.identitySecret)],
    ['of another algorithm', () => tokenOf({}, strict.identitySecret, 'HS512')],
    ['with a claim of the wrong type', () => tokenOf({ email: 5 })],
    ['that is not a JWT', async () => 'not-a-token'],
    ['that is empty', async () => ''],
    ['without a signature', async () => `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`],
  ])('rejects a token %s', async (_what, make) => {
    expect(await codeOf(strict.key, { verification_token: await make() })).toEqual([
      403,
      'verification_required',
    ]);
  });

  test('accepts a valid token', async () => {
    expect((await codeOf(strict.key, { verification_token: await tokenOf({}) }))[0]).toBe(200);
  });

  test('rejects a valid token with another user or an invalid hash', async () => {
    const verification_token = await tokenOf({});
    const required = [403, 'verification_required'];
    expect(await codeOf(strict.key, { verification_token, user: { user_id: 'u-2' } })).toEqual(required);
    expect(await codeOf(strict.key, { verification_token, user: { user_id: 'u-1', hash: 'x' } })).toEqual(
      required,
    );
  });

  test('stores nothing if it fails', async () => {
    const before = await messageCount();
    await codeOf(strict.key);
    expect(await messageCount()).toBe(before);
  });
});
