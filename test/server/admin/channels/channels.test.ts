import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { fakeConnector } from '../../../helpers/platforms/fake/connector.ts';
import { openFakePlatform } from '../../../helpers/platforms/fake/platform.ts';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';

const platform = await openFakePlatform();
let logged = '';
const open = await openTestServer({
  runtime: {
    connectors: [fakeConnector],
    environment: {
      ALLOW_PRIVATE_CHANNELS: 'true',
      PUBLIC_URL: 'https://help.example/api/',
      LOG_LEVEL: 'trace',
    },
    logged: new Writable({
      write(line: Buffer, _encoding, done) {
        logged += line.toString();
        done();
      },
    }),
  },
});
const { app, operate, makeWorkspace, runtime } = open;
const fresh = async () => `/workspaces/${(await makeWorkspace()).id}/channels`;
const channels = await fresh();
const credentials = { token: 'token-quokka-of-the-bot', signing_key: 'signing-quagga-key' };
const settings = { api_base_url: platform.url };
const fields = { channel: 'fake', name: 'Help bot', credentials, settings };

const add = async (path = channels) => (await operate('POST', path, fields)).json();
const codeOf = async (...call: Parameters<typeof operate>) => {
  const response = await operate(...call);
  return [response.statusCode, response.json().code];
};

describe('POST …/channels', () => {
  test('201: returns the channel without its secrets, which are never readable', async () => {
    const response = await operate('POST', channels, fields);
    const made = response.json();
    expect([response.statusCode, made]).toEqual([
      201,
      {
        id: expect.stringMatching(/^chan_\w+$/),
        workspace_id: expect.stringMatching(/^ws_/),
        channel: 'fake',
        name: 'Help bot',
        status: 'connected',
        last_error: null,
        heard_at: null,
        enabled: true,
        settings,
        profile: { bot: 'Ada', id: 7 },
        webhook_url: `https://help.example/api/webhooks/${made.id}`,
        parent: null,
        tenant: null,
        shareable_with: [],
        handle: null,
        chat_url: null,
        public_token: null,
        script_tag: null,
        test_url: null,
        created_at: expect.any(String),
      },
    ]);
    const answers = await Promise.all([
      operate('GET', channels),
      operate('GET', `${channels}/${made.id}`),
      operate('PATCH', `${channels}/${made.id}`, { credentials }),
    ]);
    const secret = (await runtime.channelAccounts.account(made.id))?.secret ?? '';
    const readable = [response, ...answers].map(({ body }) => body).join() + logged;
    for (const hidden of ['quokka', 'quagga', secret]) expect(readable).not.toContain(hidden);
  });

  test('201: uses the kind as the default name and can create a disabled channel', async () => {
    const { name: _, ...unnamed } = fields;
    const off = { ...unnamed, settings: { ...settings, enabled: false } };
    expect((await operate('POST', channels, off)).json()).toMatchObject({
      name: 'fake',
      enabled: false,
      settings,
    });
    const other = await operate('POST', channels, { ...unnamed, enabled: false });
    expect(other.json()).toMatchObject({ enabled: false });
  });

  test('201: returns no webhook URL for a channel that listens', async () => {
    const polled = await operate('POST', channels, { ...fields, settings: { ...settings, mode: 'polling' } });
    expect(polled.json()).toMatchObject({ webhook_url: null, status: 'connected' });
  });

  test('201: skips the check with verify false, and reports why our webhook URL was rejected', async () => {
    platform.refusals.set('/probe', 'Unauthorized').set('/enrol', 'No https, token-quokka-of-the-bot.');
    const unasked = await operate('POST', channels, { ...fields, settings: { ...settings, verify: false } });
    expect([unasked.statusCode, unasked.json()]).toMatchObject([
      201,
      { status: 'error', last_error: 'No https, [secret].', settings, profile: {} },
    ]);
    platform.refusals.clear();
  });

  test('400: rejects a missing kind and invalid JSON', async () => {
    expect(await codeOf('POST', channels, { ...fields, channel: undefined })).toEqual([400, 'missing_field']);
  });

  test('401: requires the operator token', async () => {
    const url = `/admin/v1${channels}`;
    expect((await app.inject({ method: 'POST', url, payload: fields })).statusCode).toBe(401);
  });

  test('404: rejects an unknown workspace', async () => {
    const path = '/workspaces/ws_none/channels';
    expect(await codeOf('POST', path, fields)).toEqual([404, 'workspace_not_found']);
  });

  test('422: lists the available kinds if the kind is unknown', async () => {
    const response = await operate('POST', channels, { ...fields, channel: 'pigeon' });
    expect([response.statusCode, response.json()]).toMatchObject([
      422,
      { code: 'unknown_channel', detail: 'There is no channel of that kind. Use one of fake.' },
    ]);
  });

  test('409 and 422: rejects an app that cannot be shared and a team that already has a channel', async () => {
    const { id: parent } = await add();
    const child = { channel: 'fake', parent, settings: { team: 'red' } };
    const made = await operate('POST', channels, child);
    expect([made.statusCode, made.json()]).toMatchObject([201, { parent, tenant: 'red' }]);
    const cases = [
      [409, 'tenant_taken', child],
      [422, 'unknown_parent', { ...child, parent: 'chan_none' }],
      [422, 'invalid_parent', { ...child, parent: made.json().id }],
      [422, 'invalid_parent', { ...child, parent: 7 }],
      [422, 'invalid_settings', { channel: 'fake', parent }],
    ] as const;
    for (const [status, code, body] of cases)
      expect(await codeOf('POST', channels, body)).toEqual([status, code]);
  });

  test('422: names the field of invalid credentials and settings', async () => {
    const detailOf = async (body: object) => {
      const response = await operate('POST', channels, { ...fields, ...body });
      expect(response.statusCode).toBe(422);
      const { code, detail } = response.json();
      return `${code}: ${detail}`;
    };
    expect(await detailOf({ credentials: { token: 'x' } })).toBe(
      'invalid_credentials: credentials.signing_key is required (What its calls are signed with).',
    );
    expect(await detailOf({ settings: { mode: 'pigeon' } })).toMatch(
      /^invalid_settings: settings\.mode is invalid: .*polling.* \(How events come\)\.$/,
    );
    expect(await detailOf({ settings: { verify: 'no' } })).toBe(
      'invalid_settings: settings.verify must be true or false.',
    );
  });

  test('422: returns the platform’s own words without secrets', async () => {
    platform.refusals.set('/probe', 'The token token-quokka-of-the-bot was revoked.');
    const response = await operate('POST', channels, fields);
    platform.refusals.clear();
    expect([response.statusCode, response.json()]).toMatchObject([
      422,
      { code: 'channel_verification_failed', detail: 'The token [secret] was revoked.' },
    ]);
    const nobody = { ...settings, api_base_url: 'http://127.0.0.1:1' };
    expect(await codeOf('POST', channels, { ...fields, settings: nobody })).toEqual([
      422,
      'channel_verification_failed',
    ]);
  });

  test.each([
    ['channel', ['', 5, null]],
    ['name', ['', '  ', 'a'.repeat(201)]],
    ['credentials', ['token', ['token'], null]],
    ['settings', ['polling', []]],
    ['enabled', ['yes']],
  ])('422: reports an invalid %s with its own code', async (field, values) => {
    for (const value of values) {
      const answer = await codeOf('POST', channels, { ...fields, [field]: value });
      expect(answer, JSON.stringify(value)).toEqual([422, `invalid_${field}`]);
    }
  });
});

test('422: rejects a platform in a private network unless it is allowed', async () => {
  const guarded = await openTestServer({ runtime: { connectors: [fakeConnector] } });
  const path = `/workspaces/${(await guarded.makeWorkspace()).id}/channels`;
  platform.taken();
  for (const api_base_url of [platform.url, platform.url.replace('http:', 'https:')]) {
    const response = await guarded.operate('POST', path, { ...fields, settings: { api_base_url } });
    expect([response.statusCode, response.json()]).toMatchObject([
      422,
      {
        code: 'channel_verification_failed',
        detail: expect.stringMatching(
          /^127\.0\.0\.1(:\d+ must be called over https| is not a public address)\.$/,
        ),
      },
    ]);
  }
  expect(platform.taken()).toEqual([]);
  const unasked = { ...fields, settings: { ...settings, verify: false } };
  expect((await guarded.operate('POST', path, unasked)).json()).toMatchObject({
    status: 'error',
    last_error:
      'PUBLIC_URL is absent, so the platform has no address to post to. Set PUBLIC_URL and save the channel again.',
    webhook_url: null,
  });
});

describe('GET …/channels', () => {
  test('200: returns only the channels of this workspace, newest first, in pages', async () => {
    const path = await fresh();
    const [first, second] = [await add(path), await add(path)];
    const page = (await operate('GET', `${path}?limit=1`)).json();
    expect(page).toMatchObject({ channels: [{ id: second.id }], pagination: { has_more: true } });
    const next = (await operate('GET', `${path}?limit=1&cursor=${page.pagination.next_cursor}`)).json();
    expect(next).toMatchObject({ channels: [{ id: first.id }], pagination: { has_more: false } });
    expect((await operate('GET', `${path}/${first.id}`)).json()).toEqual(next.channels[0]);
    const foreign = `${channels}?cursor=${page.pagination.next_cursor}`;
    expect(await codeOf('GET', foreign)).toEqual([422, 'invalid_cursor']);
  });
});

describe('PATCH …/channels/{chan_id}', () => {
  test('200: changes the given fields and checks them with the platform if they concern it', async () => {
    const channel = await add();
    const one = `${channels}/${channel.id}`;
    platform.taken();
    const renamed = await operate('PATCH', one, { name: 'Other', enabled: false, channel: 'pigeon' });
    expect([renamed.statusCode, renamed.json()]).toEqual([
      200,
      { ...channel, name: 'Other', enabled: false },
    ]);
    expect(platform.taken()).toEqual([]);
    const rotated = await operate('PATCH', one, { credentials: { token: 'token-quince' } });
    expect(rotated.json()).toMatchObject({ status: 'connected' });
    expect(rotated.body).not.toContain('quince');
    expect(platform.calls[0]).toMatchObject({ path: '/probe', authorization: 'Bearer token-quince' });
    expect(platform.taken()).toEqual(['/probe', '/retire', '/enrol', '/prepare']);
    const unasked = await operate('PATCH', one, { settings: { mode: 'polling', verify: false } });
    expect(unasked.json()).toMatchObject({
      status: 'connecting',
      settings: { ...settings, mode: 'polling' },
    });
    expect(platform.taken()).toEqual(['/retire', '/prepare']);
  });

  test('400, 422: rejects an empty change, invalid fields, and values that the platform rejects', async () => {
    const one = `${channels}/${(await add()).id}`;
    expect(await codeOf('PATCH', one, {})).toEqual([400, 'missing_field']);
    expect(await codeOf('PATCH', one, { channel: 'other' })).toEqual([400, 'missing_field']);
    expect(await codeOf('PATCH', one, { name: '' })).toEqual([422, 'invalid_name']);
    expect(await codeOf('PATCH', one, { enabled: 1 })).toEqual([422, 'invalid_enabled']);
    expect(await codeOf('PATCH', one, { settings: { mode: 1 } })).toEqual([422, 'invalid_settings']);
    expect(await codeOf('PATCH', one, { credentials: { token: null } })).toEqual([
      422,
      'invalid_credentials',
    ]);
    platform.refusals.set('/probe', 'Unauthorized');
    const refused = await codeOf('PATCH', one, { credentials: { token: 'wrong' } });
    platform.refusals.clear();
    expect(refused).toEqual([422, 'channel_verification_failed']);
    expect((await operate('GET', one)).json().status).toBe('connected');
  });
});

test('DELETE …/channels/{chan_id}: 204, even if the platform reports an error', async () => {
  const { id } = await add();
  platform.refusals.set('/retire', 'Unauthorized: token-quokka-of-the-bot');
  platform.taken();
  const response = await operate('DELETE', `${channels}/${id}`);
  platform.refusals.clear();
  expect([response.statusCode, response.body]).toEqual([204, '']);
  expect(platform.taken()).toEqual(['/retire']);
  expect(logged).toContain('Unauthorized: [secret]');
});

test('notifies the platforms of a deleted workspace', async () => {
  const other = await fresh();
  await add(other);
  await add(other);
  platform.taken();
  expect((await operate('DELETE', other.replace('/channels', ''))).statusCode).toBe(204);
  expect(platform.taken()).toEqual(['/retire', '/retire']);
});

test('404: rejects a channel that is unknown, deleted, or of another workspace', async () => {
  const { id: foreign } = await add(await fresh());
  const { id: deleted } = await add();
  await operate('DELETE', `${channels}/${deleted}`);
  for (const channel of [foreign, deleted, 'chan_none', '%00']) {
    const calls = [
      codeOf('GET', `${channels}/${channel}`),
      codeOf('PATCH', `${channels}/${channel}`, { enabled: true }),
      codeOf('PATCH', `${channels}/${channel}`, { credentials }),
      codeOf('DELETE', `${channels}/${channel}`),
    ];
    expect(await Promise.all(calls), channel).toEqual(calls.map(() => [404, 'channel_not_found']));
  }
});

test('422: a channel of a removed kind can only be renamed and deleted', async () => {
  const path = await fresh();
  const one = `${path}/${(await add(path)).id}`;
  await runtime.database.kysely.updateTable('channel').set({ channel: 'pigeon' }).execute();
  expect((await operate('PATCH', one, { name: 'Old' })).json()).toMatchObject({
    name: 'Old',
    webhook_url: null,
  });
  expect(await codeOf('PATCH', one, { credentials })).toEqual([422, 'unknown_channel']);
  expect((await operate('DELETE', one)).statusCode).toBe(204);
});
