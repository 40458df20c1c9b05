import { describe, expect, test } from 'vitest';
import { type KeyReach, type KeyScope, keyScopes } from '../../../core/workspaces/keys/key-scopes.ts';
import { needs } from '../../../server/plugins/operator-access.ts';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';
import { type ApiOperation, readApi } from '../../helpers/servers/openapi/api-operations.ts';

const { app, runtime, operate, query, makeWorkspace } = await openTestServer();
const own = await makeWorkspace({ name: 'Own' });
const sister = await makeWorkspace({ name: 'Sister', owner: own.owner });
const other = await makeWorkspace({ name: 'Other' });
const { operations } = readApi((await app.inject({ method: 'GET', url: '/openapi.json' })).json());
const scoped = operations.filter((operation) => operation['x-scope'] !== undefined);
const ofIntegrators = scoped.filter(({ path }) => path.startsWith('/v1/'));
const ofOperators = scoped.filter(({ path }) => path.startsWith('/admin/'));

const limits = { rateLimitMinute: 1_000, rateLimitDay: 100_000 };

async function makeKey(scopes: readonly KeyScope[], workspaces: KeyReach = 'owner') {
  return (await runtime.apiKeys.create(own.id, { name: 'Shop app', scopes, workspaces, ...limits })).value;
}

const scopeOf = (operation: ApiOperation) => keyScopes.filter((scope) => scope === operation['x-scope']);
const withoutScopeOf = (operation: ApiOperation) =>
  keyScopes.filter((scope) => scope !== operation['x-scope']);

const methods = { get: 'GET', post: 'POST', put: 'PUT', patch: 'PATCH', delete: 'DELETE' } as const;

/** Calls an operation with ids of nothing, so that the caller's rights decide. */
function call(key: string, { method, path }: Pick<ApiOperation, 'method' | 'path'>, workspaceId = own.id) {
  const url = path.replace('{workspace_id}', workspaceId).replaceAll(/\{\w+\}/g, 'nothing');
  const verb = Object.entries(methods).find(([name]) => name === method)?.[1] ?? 'GET';
  return app.inject({
    method: verb,
    url,
    headers: { authorization: `Bearer ${key}` },
    ...(verb !== 'GET' && verb !== 'DELETE' && { payload: {} }),
  });
}

function expectRefusal(response: Awaited<ReturnType<typeof call>>, scope: string | undefined): void {
  expect([response.statusCode, response.json()]).toMatchObject([
    403,
    {
      code: 'insufficient_scope',
      detail: `This key lacks ${scope}. Create a key with it in Settings, API keys.`,
      request_id: expect.any(String),
    },
  ]);
  expect(response.headers).toMatchObject({
    'www-authenticate': `Bearer error="insufficient_scope", scope="${scope}"`,
    'x-ratelimit-limit-minute': '1000',
  });
}

/** Refusals of a caller who has no right, whatever the request holds. */
const refusals = ['insufficient_scope', 'permission_denied', 'invalid_key', 'workspace_not_found'];

describe('under /v1', () => {
  test('every operation but the one that shows a key names a scope', () => {
    const all = operations.filter(({ path }) => path.startsWith('/v1/'));
    const open = all.filter((operation) => operation['x-scope'] === undefined);
    expect(open.map(({ method, path }) => `${method} ${path}`)).toEqual(['get /v1/me']);
  });

  test.each(ofIntegrators)('$method $path needs its scope alone', async (operation) => {
    expectRefusal(await call(await makeKey(withoutScopeOf(operation)), operation), operation['x-scope']);
    const allowed = await call(await makeKey(scopeOf(operation)), operation);
    expect(allowed.statusCode).not.toBe(401);
    expect(refusals).not.toContain(allowed.json().code);
  });

  test('every key is told what it may do, and a refused question is not counted', async () => {
    const key = await makeKey(['usage:read']);
    expectRefusal(await query(key, { query: 'Do you sell socks?' }), 'query');
    const me = await call(key, { method: 'get', path: '/v1/me' });
    expect(me.json()).toMatchObject({ key: { scopes: ['usage:read'] }, usage: { messages: 0 } });
  });

  test('a key of its own workspace reaches no other, and one of the owner does', async () => {
    const asked = await query(sister.key, { query: 'Do you sell socks?' });
    const path = `/v1/conversations/${asked.json().conversation_id}`;
    const narrow = await makeKey(['query', 'conversations:read'], 'own');
    expect((await call(narrow, { method: 'get', path })).json().code).toBe('conversation_not_found');
    const list = { method: 'get', path: `/v1/conversations?workspace_id=${sister.id}` };
    expect((await call(narrow, list)).json().code).toBe('workspace_access_denied');
    const question = { query: 'Do you sell socks?', workspace_id: sister.id };
    expect((await query(narrow, question)).json().code).toBe('workspace_access_denied');
    const wide = await makeKey(['conversations:read']);
    expect((await call(wide, { method: 'get', path })).statusCode).toBe(200);
    expect((await call(wide, list)).statusCode).toBe(200);
  });
});

describe('under /admin/v1', () => {
  test('these operations take a key, by scope', () => {
    const byScope = Map.groupBy(ofOperators, (operation) => operation['x-scope']);
    const names = [...byScope].map(([scope, found]) => [scope, found.map((one) => one.operationId).sort()]);
    expect(Object.fromEntries(names)).toEqual({
      search: ['search'],
      'conversations:reply': ['deleteReplyFile', 'listReplyFiles', 'replyAsAgent', 'uploadReplyFile'],
      'documents:read': [
        ...['countDocuments', 'getDocument', 'getSource', 'listDocumentPassages', 'listDocuments'],
        ...['listSourceItems', 'listSourceRuns', 'listSources', 'readDocumentContent'],
      ],
      'documents:write': [
        ...['addDocument', 'addPage', 'cancelSourceRun', 'changeDocument', 'changeDocuments'],
        ...['deleteDocument', 'nameSourceChanges', 'reindexDocument', 'replaceDocumentContent'],
        ...['restoreDocument', 'runSource', 'uploadDocument'],
      ],
      'webhooks:write': [
        ...['createWebhook', 'deleteWebhook', 'listDeliveries', 'listWebhooks', 'replayDelivery'],
        ...['restoreWebhook', 'testWebhook', 'updateWebhook'],
      ],
      'usage:read': ['getUsage'],
      'people:write': ['exportPerson'],
    });
  });

  test('none of them asks for a fresh proof, and each has a permission that its scope stands for', () => {
    expect(ofOperators.filter((operation) => operation['x-proof'] !== undefined)).toEqual([]);
    expect(() => needs('people:write', { scope: 'people:write' })).toThrow(TypeError);
    expect(() => needs('developers:write', { scope: 'query' })).toThrow(TypeError);
  });

  test.each(ofOperators)('$method $path needs its scope, and a workspace of the key', async (operation) => {
    expectRefusal(await call(await makeKey(withoutScopeOf(operation)), operation), operation['x-scope']);
    const [wide, narrow] = [
      await makeKey(scopeOf(operation)),
      await makeKey(scopeOf(operation), 'own'),
    ] as const;
    for (const [key, workspaceId] of [
      [wide, own.id],
      [narrow, own.id],
      [wide, sister.id],
    ] as const) {
      const allowed = await call(key, operation, workspaceId);
      expect(allowed.statusCode).not.toBe(401);
      expect(refusals).not.toContain(allowed.statusCode < 400 ? '' : allowed.json().code);
    }
    for (const [key, workspaceId] of [
      [narrow, sister.id],
      [wide, other.id],
      [narrow, other.id],
    ] as const) {
      expect((await call(key, operation, workspaceId)).json().code).toBe('workspace_not_found');
    }
  });

  test('every other operation refuses a key with all scopes', async () => {
    const key = await makeKey(keyScopes);
    const rest = operations
      .filter(({ path }) => path.startsWith('/admin/'))
      .filter((one) => !scoped.includes(one));
    expect(rest.length).toBeGreaterThan(100);
    const answers = [];
    for (const [position, { method, path }] of rest.entries()) {
      const answer = await app.inject({
        method: Object.entries(methods).find(([name]) => name === method)?.[1] ?? 'GET',
        url: path.replace('{workspace_id}', own.id).replaceAll(/\{\w+\}/g, 'nothing'),
        headers: { authorization: `Bearer ${key}` },
        // An address is throttled after twenty failures in a minute.
        remoteAddress: `10.0.${position >> 4}.1`,
      });
      if (answer.statusCode !== 401) answers.push(`${method} ${path}: ${answer.body}`);
    }
    expect(answers).toEqual([]);
  });

  test('a key that is revoked or expired, or on the plan free, opens nothing', async () => {
    const usage = { method: 'get', path: '/admin/v1/workspaces/{workspace_id}/usage' };
    const scopes = ['usage:read'] as const;
    const revoked = await runtime.apiKeys.create(own.id, { name: 'Revoked', scopes });
    expect((await call(revoked.value, usage)).statusCode).toBe(200);
    await runtime.apiKeys.revoke(own.id, revoked.apiKey.id);
    expect((await call(revoked.value, usage)).json().code).toBe('invalid_key');
    const expiring = await runtime.apiKeys.create(own.id, { name: 'Expired', scopes });
    await runtime.database.kysely
      .updateTable('api_key')
      .set({ expires_at: new Date(0) })
      .where('id', '=', expiring.apiKey.id)
      .execute();
    expect((await call(expiring.value, usage)).json().code).toBe('expired_key');
    const free = await makeWorkspace({ plan: 'free' });
    const unpaid = await runtime.apiKeys.create(free.id, { name: 'Free', scopes });
    expect((await call(unpaid.value, usage, free.id)).json().code).toBe('feature_not_in_plan');
  });

  test('a call counts in the limits of the key', async () => {
    const once = { name: 'Once', scopes: ['usage:read'], rateLimitMinute: 1 } as const;
    const { value } = await runtime.apiKeys.create(own.id, once);
    const usage = { method: 'get', path: '/admin/v1/workspaces/{workspace_id}/usage' };
    expect((await call(value, usage)).headers['x-ratelimit-remaining-minute']).toBe('0');
    expect((await call(value, usage)).json().code).toBe('rate_limit_minute');
  });
});

describe('the audit log', () => {
  const send = (key: string, url: string, payload: object) =>
    app.inject({
      method: 'POST',
      url: `/admin/v1/workspaces/${own.id}${url}`,
      headers: { authorization: `Bearer ${key}` },
      payload,
    });

  test('names the key that added a document', async () => {
    const added = await send(await makeKey(['documents:write']), '/documents', { content: 'Open at nine.' });
    expect(added.statusCode).toBe(202);
    const log = await operate('GET', `/workspaces/${own.id}/audit-log?action=document_added`);
    expect(log.json().audit_log[0]).toMatchObject({ actor: 'Shop app', actor_id: null });
  });

  test('names the key that replied for a person, which needs another scope to change more', async () => {
    const asked = await query(own.key, { query: 'Do you sell socks?' });
    const conversation = `/conversations/${asked.json().conversation_id}`;
    const key = await makeKey(['conversations:reply']);
    const reply = { content: 'We do.', author_email: 'ann@example.com' };
    const more = await send(key, `${conversation}/reply`, { ...reply, change: { priority: 'high' } });
    expectRefusal(more, 'conversations:write');
    const sent = await send(key, `${conversation}/reply`, reply);
    expect([sent.statusCode, sent.json().author]).toEqual([201, 'ann@example.com']);
    const log = await operate('GET', `/workspaces/${own.id}${conversation}/audit-log`);
    expect(log.json().audit_log).toMatchObject([{ action: 'status_changed', actor: 'Shop app' }]);
  });
});
