import { describe, expect, test } from 'vitest';
import { keyScopes } from '../../../core/workspaces/keys/key-scopes.ts';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';

const { app, operate, query, makeWorkspace } = await openTestServer();
const { id } = await makeWorkspace();
const keys = `/workspaces/${id}/keys`;

const shape = {
  id: expect.stringMatching(/^key_\w+$/),
  workspace_id: id,
  name: 'Site',
  ending: expect.stringMatching(/^.{4}$/),
  rate_limit_minute: 60,
  rate_limit_day: 1_000,
  scopes: ['query', 'conversations:read', 'conversations:write'],
  workspaces: 'owner',
  mode: 'live',
  allowed_networks: [],
  expires_at: null,
  previous_valid_until: null,
  created_at: expect.any(String),
  created_by: 'operator',
  last_used_at: null,
  scopes_used: [],
  revoked_at: null,
  days: [],
};

describe('POST …/keys', () => {
  test('201: returns a working key, whose value is shown only once', async () => {
    const response = await operate('POST', keys, { name: 'Site' });
    expect([response.statusCode, response.json()]).toEqual([
      201,
      { ...shape, key: expect.stringMatching(/^pk_/) },
    ]);
    expect((await query(response.json().key, { query: 'Do you sell socks?' })).statusCode).toBe(200);
    expect((await operate('GET', keys)).body).not.toContain(response.json().key);
  });

  test('201: accepts limits and an expiry in any time zone', async () => {
    const fields = {
      rate_limit_minute: 1_000,
      rate_limit_day: 100_000,
      expires_at: '2199-01-01T02:00:00+02:00',
    };
    const response = await operate('POST', keys, { name: 'Site', ...fields });
    expect(response.json()).toMatchObject({ ...fields, expires_at: '2199-01-01T00:00:00.000Z' });
  });

  test('201: stores scopes once each in their order, and how far the key reaches', async () => {
    const fields = { scopes: ['webhooks:write', 'query', 'query'], workspaces: 'own' };
    const { id: made } = (await operate('POST', keys, { name: 'Site', ...fields })).json();
    const listed = (await operate('GET', keys)).json().keys.find((key: { id: string }) => key.id === made);
    expect(listed).toMatchObject({ scopes: ['query', 'webhooks:write'], workspaces: 'own' });
  });

  test('422: the answer to an unknown scope lists the scopes that there are', async () => {
    const response = await operate('POST', keys, { name: 'Site', scopes: ['query', 'everything'] });
    expect(response.json()).toMatchObject({ code: 'invalid_scopes', detail: expect.any(String) });
    for (const scope of keyScopes) expect(response.json().detail).toContain(scope);
  });

  test('400: requires a name', async () => {
    const response = await operate('POST', keys, { rate_limit_minute: 5 });
    expect([response.statusCode, response.json().code]).toEqual([400, 'missing_field']);
  });

  test.each([
    ['name', ['', 5]],
    ['rate_limit_minute', [0, 1_001, '60', 1.5]],
    ['rate_limit_day', [0, 100_001]],
    ['scopes', ['query', [], ['all'], [5]]],
    ['workspaces', ['all', 5, []]],
    ['mode', ['both', 5]],
    [
      'allowed_networks',
      ['203.0.113.0/24', ['example.com'], [5], Array.from({ length: 21 }, (_, last) => `203.0.113.${last}`)],
    ],
    ['expires_at', ['tomorrow', '2020-01-01T00:00:00Z', 5]],
  ])('422: reports an invalid %s with its own code', async (field, values) => {
    for (const value of values) {
      const response = await operate('POST', keys, { name: 'Site', [field]: value });
      expect([response.statusCode, response.json().code], JSON.stringify(value)).toEqual([
        422,
        `invalid_${field}`,
      ]);
    }
  });
});

describe('the networks of a key', () => {
  const ask = (key: string, remoteAddress: string) =>
    app.inject({
      method: 'GET',
      url: '/v1/me',
      headers: { authorization: `Bearer ${key}` },
      remoteAddress,
    });

  test('come back in one form, and can be changed and lifted', async () => {
    const allowed_networks = ['203.0.113.7', '2001:DB8::/32', '203.0.113.7/32'];
    const made = (await operate('POST', keys, { name: 'Site', allowed_networks })).json();
    expect(made.allowed_networks).toEqual(['203.0.113.7/32', '2001:db8::/32']);
    const path = `${keys}/${made.id}`;
    const changed = await operate('PATCH', path, { allowed_networks: ['10.0.0.0/8'] });
    expect(changed.json().allowed_networks).toEqual(['10.0.0.0/8']);
    expect((await operate('PATCH', path, { name: 'Other' })).json().allowed_networks).toEqual(['10.0.0.0/8']);
    const lifted = await operate('PATCH', path, { allowed_networks: [] });
    expect(lifted.json().allowed_networks).toEqual([]);
    expect((await ask(made.key, '198.51.100.9')).statusCode).toBe(200);
    const log = await operate('GET', `/workspaces/${id}/audit-log?action=key_changed`);
    expect(log.json().audit_log[0].details).toMatchObject({ id: made.id, fields: ['allowed_networks'] });
  });

  test('403: an address outside of them is named, and its question is not counted', async () => {
    const { key } = (
      await operate('POST', keys, { name: 'Site', allowed_networks: ['203.0.113.0/24'] })
    ).json();
    expect((await ask(key, '203.0.113.200')).statusCode).toBe(200);
    const refused = await ask(key, '198.51.100.9');
    expect([refused.statusCode, refused.json()]).toMatchObject([
      403,
      {
        code: 'network_not_allowed',
        detail:
          'This key may not be used from 198.51.100.9. Call from one of its networks, or add this address to them in Settings, API keys.',
      },
    ]);
    expect(refused.headers['x-ratelimit-limit-minute']).toBe('60');
    const before = (await ask(key, '203.0.113.1')).json().usage.messages;
    const question = await app.inject({
      method: 'POST',
      url: '/v1/query',
      headers: { authorization: `Bearer ${key}` },
      payload: { query: 'Do you sell socks?' },
      remoteAddress: '198.51.100.9',
    });
    expect(question.json().code).toBe('network_not_allowed');
    expect((await ask(key, '203.0.113.1')).json().usage.messages).toBe(before);
  });
});

test('a key shows when each scope was last used, to the minute, and none for a refused call', async () => {
  const scopes = ['query', 'conversations:read', 'usage:read'];
  const made = (await operate('POST', keys, { name: 'Site', scopes })).json();
  const call = (path: string) =>
    app.inject({ method: 'GET', url: path, headers: { authorization: `Bearer ${made.key}` } });
  const uses = async (): Promise<readonly { readonly scope: string; readonly at: string }[]> => {
    const { keys: listed } = (await operate('GET', keys)).json();
    return listed.find((key: { id: string }) => key.id === made.id).scopes_used;
  };
  await call('/v1/me');
  await call(`/admin/v1/workspaces/${id}/documents`);
  expect(await uses()).toEqual([]);
  await call(`/v1/conversations?workspace_id=${id}`);
  const first = await uses();
  expect(first).toEqual([{ scope: 'conversations:read', at: expect.any(String) }]);
  await call(`/v1/conversations?workspace_id=${id}`);
  expect(await uses()).toEqual(first);
  await call(`/admin/v1/workspaces/${id}/usage`);
  expect((await uses()).map(({ scope }) => scope)).toEqual(['conversations:read', 'usage:read']);
});

describe('GET …/keys', () => {
  test('200: returns only the keys of this workspace, newest first', async () => {
    const other = await makeWorkspace();
    const made = await operate('POST', `/workspaces/${other.id}/keys`, { name: 'Newest' });
    const response = (await operate('GET', `/workspaces/${other.id}/keys`)).json();
    expect(response.keys).toHaveLength(2);
    expect(response.keys[0]).toMatchObject({ id: made.json().id, name: 'Newest' });
    expect(response.pagination).toEqual({ next_cursor: null, has_more: false });
  });
});

describe('DELETE …/keys/{key_id}', () => {
  test('204: disables the key and removes it from the list', async () => {
    const made = (await operate('POST', keys, { name: 'Site' })).json();
    const response = await operate('DELETE', `${keys}/${made.id}`);
    expect([response.statusCode, response.body]).toEqual([204, '']);
    expect((await query(made.key, { query: 'Do you sell socks?' })).json().code).toBe('invalid_key');
    expect((await operate('GET', keys)).body).not.toContain(made.id);
  });

  test('404: rejects a key that is unknown, revoked, or of another workspace', async () => {
    const made = (await operate('POST', keys, { name: 'Site' })).json();
    const other = await makeWorkspace();
    const foreign = await operate('DELETE', `/workspaces/${other.id}/keys/${made.id}`);
    expect([foreign.statusCode, foreign.json().code]).toEqual([404, 'key_not_found']);
    await operate('DELETE', `${keys}/${made.id}`);
    for (const key of [made.id, 'key_unknown', '%00', 'a%20b']) {
      expect((await operate('DELETE', `${keys}/${key}`)).json().code, key).toBe('key_not_found');
    }
  });
});
