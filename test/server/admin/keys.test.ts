import { describe, expect, test } from 'vitest';
import { keyScopes } from '../../../core/workspaces/keys/key-scopes.ts';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';

const { operate, query, makeWorkspace } = await openTestServer();
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
  expires_at: null,
  previous_valid_until: null,
  created_at: expect.any(String),
  created_by: 'operator',
  last_used_at: null,
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
