import { describe, expect, test } from 'vitest';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';

const { operate, query, makeWorkspace, runtime } = await openTestServer();
const { id, key } = await makeWorkspace();
const hooks = `/workspaces/${id}/webhooks`;
const fields = { url: 'https://hooks.example/parley', events: ['message.created'] };

const add = async (path = hooks) => (await operate('POST', path, fields)).json();
const codeOf = async (...call: Parameters<typeof operate>) => {
  const response = await operate(...call);
  return [response.statusCode, response.json().code];
};

const shape = {
  id: expect.stringMatching(/^hook_\w+$/),
  workspace_id: id,
  ...fields,
  enabled: true,
  disabled_at: null,
  disabled_reason: null,
  created_at: expect.any(String),
};

describe('POST …/webhooks', () => {
  test('201: shows the secret only once and stores it encrypted', async () => {
    const response = await operate('POST', hooks, fields);
    const { secret, ...rest } = response.json();
    expect([response.statusCode, rest]).toEqual([201, shape]);
    expect(Buffer.from(secret.replace('whsec_', ''), 'base64')).toHaveLength(24);
    expect((await operate('GET', hooks)).body).not.toContain(secret);
    const row = await runtime.database.kysely
      .selectFrom('webhook')
      .selectAll()
      .where('id', '=', rest.id)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain(secret.replace('whsec_', ''));
    const place = { table: 'webhook', column: 'secret_encrypted', id: row.id } as const;
    expect(runtime.installation.secretBox.open(row.secret_encrypted, place)).toBe(secret);
  });

  test('201: sends an event once even if it is listed twice', async () => {
    const events = ['message.created', 'message.created', 'document.failed'];
    const response = await operate('POST', hooks, { ...fields, events });
    expect(response.json().events).toEqual(['message.created', 'document.failed']);
  });

  test.each(['url', 'events'])('400: %s is required', async (field) => {
    expect(await codeOf('POST', hooks, { ...fields, [field]: undefined })).toEqual([400, 'missing_field']);
  });

  test.each([
    [
      'url',
      [
        'ftp://hooks.example/',
        'hooks.example',
        5,
        'https://me:secret@hooks.example/',
        `https://h.example/${'a'.repeat(2_000)}`,
      ],
    ],
    ['events', [[], ['message.deleted'], 'message.created', null]],
  ])('422: reports an invalid %s with its own code', async (field, values) => {
    for (const value of values) {
      const answer = await codeOf('POST', hooks, { ...fields, [field]: value });
      expect(answer, JSON.stringify(value)).toEqual([422, `invalid_${field}`]);
    }
  });
});

describe('GET …/webhooks', () => {
  test('200: returns only the webhooks of this workspace, newest first, in pages', async () => {
    const path = `/workspaces/${(await makeWorkspace()).id}/webhooks`;
    const [first, second] = [await add(path), await add(path)];
    const page = (await operate('GET', `${path}?limit=1`)).json();
    expect(page).toMatchObject({ webhooks: [{ id: second.id }], pagination: { has_more: true } });
    const next = (await operate('GET', `${path}?limit=1&cursor=${page.pagination.next_cursor}`)).json();
    expect(next).toMatchObject({ webhooks: [{ id: first.id }], pagination: { has_more: false } });
  });
});

describe('PATCH …/webhooks/{hook_id}', () => {
  test('200: disables and enables the webhook', async () => {
    const { id: hook } = await add();
    const off = await operate('PATCH', `${hooks}/${hook}`, { enabled: false });
    expect([off.statusCode, off.json()]).toEqual([
      200,
      {
        ...shape,
        enabled: false,
        disabled_at: expect.any(String),
        disabled_reason: 'The operator disabled the webhook.',
      },
    ]);
    expect((await operate('PATCH', `${hooks}/${hook}`, { enabled: true })).json()).toEqual(shape);
  });

  test('400, 422: rejects values other than booleans', async () => {
    const { id: hook } = await add();
    expect(await codeOf('PATCH', `${hooks}/${hook}`, {})).toEqual([400, 'missing_field']);
    expect(await codeOf('PATCH', `${hooks}/${hook}`, { enabled: 'yes' })).toEqual([422, 'invalid_enabled']);
  });
});

describe('…/webhooks/{hook_id}/deliveries', () => {
  test('200, 202: returns pending deliveries, newest first, and replays one', async () => {
    const own = await makeWorkspace();
    const path = `/workspaces/${own.id}/webhooks`;
    const { id: hook } = await add(path);
    await query(own.key, { query: 'Do you sell socks?' });
    const { deliveries, pagination } = (await operate('GET', `${path}/${hook}/deliveries?limit=1`)).json();
    const delivery = {
      id: expect.stringMatching(/^evt_\w+$/),
      webhook_id: hook,
      event: 'message.created',
      status: 'pending',
      attempts: 0,
      next_attempt_at: null,
      last_status: null,
      last_error: null,
      created_at: expect.any(String),
      delivered_at: null,
    };
    expect([deliveries, pagination.has_more]).toEqual([[delivery], true]);
    const replay = `${path}/${hook}/deliveries/${deliveries[0].id}/replay`;
    const replayed = await operate('POST', replay);
    expect([replayed.statusCode, replayed.json()]).toEqual([202, delivery]);
    expect(await codeOf('POST', `${path}/${hook}/deliveries/evt_none/replay`)).toEqual([
      404,
      'delivery_not_found',
    ]);
    await operate('PATCH', `${path}/${hook}`, { enabled: false });
    expect(await codeOf('POST', replay)).toEqual([409, 'webhook_disabled']);
    const given = (await operate('GET', `${path}/${hook}/deliveries`)).json().deliveries;
    expect(given[0]).toMatchObject({ status: 'failed', last_error: 'The webhook was disabled.' });
  });
});

describe('DELETE …/webhooks/{hook_id}', () => {
  test('204: removes the webhook and its pending deliveries', async () => {
    const { id: hook } = await add();
    await query(key, { query: 'Do you sell socks?' });
    const response = await operate('DELETE', `${hooks}/${hook}`);
    expect([response.statusCode, response.body]).toEqual([204, '']);
    expect((await operate('GET', hooks)).body).not.toContain(hook);
  });
});

test('404: rejects a webhook that is unknown, deleted, or of another workspace', async () => {
  const { id: foreign } = await add(`/workspaces/${(await makeWorkspace()).id}/webhooks`);
  const { id: deleted } = await add();
  await operate('DELETE', `${hooks}/${deleted}`);
  for (const hook of [foreign, deleted, 'hook_none', '%00']) {
    const calls = [
      codeOf('DELETE', `${hooks}/${hook}`),
      codeOf('PATCH', `${hooks}/${hook}`, { enabled: true }),
      codeOf('PATCH', `${hooks}/${hook}`, { enabled: false }),
      codeOf('GET', `${hooks}/${hook}/deliveries`),
      codeOf('POST', `${hooks}/${hook}/deliveries/evt_1/replay`),
    ];
    expect(await Promise.all(calls), hook).toEqual(calls.map(() => [404, 'webhook_not_found']));
  }
});
