import { describe, expect, test } from 'vitest';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';

const { operate, query, makeWorkspace } = await openTestServer();

const shape = {
  id: expect.stringMatching(/^ws_\w+$/),
  owner: expect.stringMatching(/^own_\w+$/),
  name: 'Help desk',
  plan: 'starter',
  settings: {},
  public_token: expect.any(String),
  created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
};

async function create(fields: object = {}) {
  const response = await operate('POST', '/workspaces', { name: 'Help desk', ...fields });
  expect(response.statusCode, response.body).toBe(201);
  return response.json();
}

describe('POST /workspaces', () => {
  test('201: creates a workspace of a new owner and returns the identity secret', async () => {
    expect(await create()).toEqual({ ...shape, identity_secret: expect.any(String) });
  });

  test('201: accepts a second workspace of an owner, settings and a plan', async () => {
    const first = await create();
    const settings = { audiences: ['staff'], sla: { first_response_minutes: 5 }, strictness: 'fallback' };
    const second = await create({ owner: first.owner, plan: 'growth', settings });
    expect(second).toMatchObject({ owner: first.owner, plan: 'growth', settings });
  });

  test('400: requires a name', async () => {
    const response = await operate('POST', '/workspaces', {});
    expect([response.statusCode, response.json().code]).toEqual([400, 'missing_field']);
  });

  test.each([
    ['name', ['', ' ', 5, null, 'x'.repeat(201)]],
    ['plan', ['gold', 5]],
    ['owner', ['', 5, 'x'.repeat(101)]],
    [
      'settings',
      [5, [], { audiences: 'staff' }, { sla: { first_response_minutes: 0 } }, { retention_days: 31 }],
    ],
  ])('422: reports an invalid %s with its own code', async (field, values) => {
    for (const value of values) {
      const response = await operate('POST', '/workspaces', { name: 'Help desk', [field]: value });
      expect([response.statusCode, response.json().code], JSON.stringify(value)).toEqual([
        422,
        `invalid_${field}`,
      ]);
    }
  });

  test('422: names the invalid setting', async () => {
    const response = await operate('POST', '/workspaces', { name: 'A', settings: { audiences: ['a', 5] } });
    expect(response.json().detail).toContain('audiences.1');
  });
});

describe('GET /workspaces', () => {
  test('200: returns pages, newest first, without gaps or repetitions, even if a workspace is added meanwhile', async () => {
    const made = [await create(), await create(), await create()].map(({ id }) => id).reverse();
    const first = (await operate('GET', '/workspaces?limit=2')).json();
    await create();
    const second = (
      await operate('GET', `/workspaces?limit=2&cursor=${first.pagination.next_cursor}`)
    ).json();
    const ids = [...first.workspaces, ...second.workspaces].map(({ id }: { id: string }) => id);
    expect(ids.slice(0, 3)).toEqual(made);
    expect(first.pagination).toEqual({ next_cursor: expect.any(String), has_more: true });
  });

  test('200: marks the last page, and contains no secrets', async () => {
    const { workspaces, pagination } = (await operate('GET', '/workspaces?limit=100')).json();
    expect(pagination).toEqual({ next_cursor: null, has_more: false });
    expect(Object.keys(workspaces[0]).sort()).toEqual(Object.keys(shape).sort());
  });

  test.each(['0', '101', 'ten', '', '1.5'])('422: rejects a limit of %j', async (limit) => {
    const response = await operate('GET', `/workspaces?limit=${limit}`);
    expect([response.statusCode, response.json().code]).toEqual([422, 'invalid_limit']);
  });

  test('422: rejects a malformed cursor and one of another list', async () => {
    const { id } = await makeWorkspace();
    await operate('POST', `/workspaces/${id}/keys`, { name: 'Second' });
    const foreign = (await operate('GET', `/workspaces/${id}/keys?limit=1`)).json().pagination.next_cursor;
    const odd = Buffer.from(JSON.stringify(['workspaces', new Date().toISOString(), '\0'])).toString(
      'base64url',
    );
    for (const cursor of ['x', '', foreign, odd]) {
      const response = await operate('GET', `/workspaces?cursor=${cursor}`);
      expect([response.statusCode, response.json().code], cursor).toEqual([422, 'invalid_cursor']);
    }
  });
});

describe('one workspace', () => {
  test('200: GET returns it without its identity secret', async () => {
    const { id } = await create();
    const response = await operate('GET', `/workspaces/${id}`);
    expect([response.statusCode, response.json()]).toEqual([200, { ...shape, id }]);
  });

  test('200: PATCH merges name, plan and settings, and null clears a setting', async () => {
    const { id } = await create({ settings: { description: 'Old', audiences: ['staff'] } });
    const settings = { description: null, fallback_message: 'Ask the desk.' };
    const response = await operate('PATCH', `/workspaces/${id}`, { name: 'New', plan: 'business', settings });
    expect(response.json()).toEqual({
      ...shape,
      id,
      name: 'New',
      plan: 'business',
      settings: { audiences: ['staff'], fallback_message: 'Ask the desk.' },
    });
    expect((await operate('GET', `/workspaces/${id}`)).json()).toEqual(response.json());
  });

  test('400: rejects an empty PATCH', async () => {
    const { id } = await create();
    const response = await operate('PATCH', `/workspaces/${id}`, { colour: 'blue' });
    expect([response.statusCode, response.json().code]).toEqual([400, 'missing_field']);
  });

  test('422: an invalid field of a PATCH changes nothing', async () => {
    const { id } = await create();
    const response = await operate('PATCH', `/workspaces/${id}`, {
      name: 'New',
      settings: { strictness: 'lax' },
    });
    expect([response.statusCode, response.json().code]).toEqual([422, 'invalid_settings']);
    expect((await operate('GET', `/workspaces/${id}`)).json().name).toBe('Help desk');
  });

  test('422: rejects an unknown model and one of a provider that is not configured', async () => {
    const { id } = await create();
    for (const model of ['openai:gpt-4o-mini', 'gpt-4o-mini', 'acme:x']) {
      const response = await operate('PATCH', `/workspaces/${id}`, { settings: { model } });
      expect([response.statusCode, response.json().code]).toEqual([422, 'invalid_settings']);
      expect(response.json().detail).toContain(model);
    }
  });

  test('200: accepts a model of a configured provider', async () => {
    const { id } = await create();
    const response = await operate('PATCH', `/workspaces/${id}`, {
      settings: { model: 'ollama:llama3.2:3b' },
    });
    expect(response.json().settings).toEqual({ model: 'ollama:llama3.2:3b' });
  });

  test('204: DELETE removes it immediately, with its keys', async () => {
    const { id, key } = await makeWorkspace();
    const response = await operate('DELETE', `/workspaces/${id}`);
    expect([response.statusCode, response.body]).toEqual([204, '']);
    expect((await operate('GET', `/workspaces/${id}`)).statusCode).toBe(404);
    expect((await operate('DELETE', `/workspaces/${id}`)).json().code).toBe('workspace_not_found');
    expect((await query(key, { query: 'Do you sell socks?' })).statusCode).toBe(401);
  });
});

describe('a second workspace on the plan free', () => {
  test('403: is refused, and a first one is not', async () => {
    const free = await create({ plan: 'free' });
    const starter = await create();
    for (const body of [
      { owner: free.owner },
      { owner: free.owner, plan: 'growth' },
      { owner: starter.owner, plan: 'free' },
    ]) {
      const refused = await operate('POST', '/workspaces', { name: 'Second', ...body });
      expect([refused.statusCode, refused.json().code]).toEqual([403, 'feature_not_in_plan']);
    }
  });
});

describe('settings of another workspace', () => {
  test('201: are copied, and those of the request replace single ones', async () => {
    const model = await create({ settings: { audiences: ['staff'], strictness: 'strict' } });
    const copy = await create({ copy_settings_from: model.id, settings: { strictness: 'fallback' } });
    expect(copy.settings).toEqual({ audiences: ['staff'], strictness: 'fallback' });
  });

  test('404: are refused for an unknown workspace', async () => {
    const refused = await operate('POST', '/workspaces', { name: 'A', copy_settings_from: 'ws_unknown' });
    expect([refused.statusCode, refused.json().code]).toEqual([404, 'workspace_not_found']);
  });
});
