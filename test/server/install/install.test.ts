import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { fakeConnector } from '../../helpers/platforms/fake/connector.ts';
import { openFakePlatform } from '../../helpers/platforms/fake/platform.ts';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';

const platform = await openFakePlatform();
platform.answers.set('/exchange', ({ code }) => ({
  team: String(code),
  name: `<b>${String(code)}</b> & "friends"`,
  token: 'token-quill',
}));
const { app, operate, makeWorkspace } = await openTestServer({
  runtime: {
    connectors: [fakeConnector],
    environment: { ALLOW_PRIVATE_CHANNELS: 'true', PUBLIC_URL: 'https://help.example/base/' },
  },
});
const idSchema = z.object({ id: z.string() });
const linkSchema = z.object({ url: z.string(), expires_at: z.iso.datetime() });
const [host, customer] = [(await makeWorkspace()).id, (await makeWorkspace()).id];
const added = await operate('POST', `/workspaces/${host}/channels`, {
  channel: 'fake',
  credentials: { token: 'token-quokka', signing_key: 'signing-quagga', client_secret: 'client-quaver' },
  settings: { api_base_url: platform.url },
});
const { id: parent } = idSchema.parse(added.json());
const makeLink = async () => {
  const made = await operate('POST', `/workspaces/${customer}/channels/${parent}/install-links`);
  expect(made.statusCode, made.body).toBe(201);
  return new URL(linkSchema.parse(made.json()).url);
};
const get = (path: string, cookie?: string) =>
  app.inject({ method: 'GET', url: path, headers: cookie === undefined ? {} : { cookie } });
/** Opens a link like a browser with this cookie. */
const open = async (cookie?: string) => {
  const { pathname } = await makeLink();
  const response = await get(pathname.replace('/base', ''), cookie);
  const kept = String(response.headers['set-cookie']);
  const asked = new URL(String(response.headers.location));
  return { response, kept, cookie: kept.split(';')[0] ?? '', state: asked.searchParams.get('state') ?? '' };
};
const back = (query: Record<string, string>, cookie?: string) =>
  get(`/install/callback?${new URLSearchParams(query)}`, cookie);
const linkSchemaPath = /^\/base\/install\/[\w-]{43}$/;

describe('a link', () => {
  test('redirects to the platform and stores a random value in the browser', async () => {
    expect((await makeLink()).pathname).toMatch(linkSchemaPath);
    const { response, kept } = await open();
    expect(response.statusCode).toBe(302);
    expect(response.headers.location).toMatch(new RegExp(`^${platform.url}/authorise`));
    expect(response.headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
    expect(kept).toMatch(
      /^parley_install=[\w-]{43}; Path=\/base\/install; Max-Age=3600; HttpOnly; SameSite=Lax; Secure$/,
    );
  });

  test('can be opened next to another link, and again', async () => {
    const first = await open();
    const second = await open(first.cookie);
    expect(second.cookie).toBe(first.cookie);
    for (const { state } of [first, second]) {
      const done = await back({ state, code: 'red' }, first.cookie);
      expect(done.statusCode, done.body).toBe(200);
    }
  });

  test('shows an error page if it is unknown', async () => {
    const response = await get('/install/nothing');
    expect(response.statusCode).toBe(404);
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(response.body).toContain('This link has expired, was already used or does not exist');
  });
});

test('shows an error page with the reason if the app lacks credentials for an installation', async () => {
  const { pathname } = await makeLink();
  const change = (client_secret: string | null) =>
    operate('PATCH', `/workspaces/${host}/channels/${parent}`, { credentials: { client_secret } });
  await change(null);
  const response = await get(pathname.replace('/base', ''));
  expect(response.statusCode).toBe(409);
  expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(response.body).toContain('Add client_secret to the credentials beside [secret].');
  const made = await operate('POST', `/workspaces/${customer}/channels/${parent}/install-links`);
  expect([made.statusCode, made.json().code]).toEqual([409, 'app_not_installable']);
  await change('client-quaver');
});

describe('the callback', () => {
  test('shows that the team is connected, without markup from the platform', async () => {
    const { state, cookie } = await open();
    const done = await back({ state, code: 'blue' }, cookie);
    expect(done.statusCode).toBe(200);
    expect(done.body).toContain('&lt;b&gt;blue&lt;/b&gt; &amp; "friends" is connected');
    expect(done.body).not.toMatch(/<b>|<script|quaver|token-/);
    expect(done.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
    const { channels } = (await operate('GET', `/workspaces/${customer}/channels`)).json();
    expect(channels).toContainEqual(expect.objectContaining({ parent, tenant: 'blue', status: 'connected' }));
  });

  test.each([
    [
      'a repeated callback',
      404,
      'This link has expired',
      async () => {
        const { state, cookie } = await open();
        await back({ state, code: 'green' }, cookie);
        return back({ state, code: 'green' }, cookie);
      },
    ],
    [
      'another browser',
      403,
      'started in another browser',
      async () => back({ state: (await open()).state, code: 'green' }),
    ],
    [
      'a declined installation',
      403,
      'The platform reported: access_denied.',
      async () => {
        const { state, cookie } = await open();
        return back({ state, error: 'access_denied' }, cookie);
      },
    ],
    [
      'a forged error text',
      403,
      'The installation was declined',
      async () => {
        const { state, cookie } = await open();
        return back({ state, error: '<script>call 555</script>' }, cookie);
      },
    ],
    ['a callback without parameters', 404, 'This link has expired', async () => get('/install/callback')],
    [
      'a rejected code',
      422,
      'bad code of [secret]',
      async () => {
        const { state, cookie } = await open();
        platform.refusals.set('/exchange', 'bad code of client-quaver');
        const refused = await back({ state, code: 'green' }, cookie);
        platform.refusals.clear();
        return refused;
      },
    ],
  ] as const)('shows an error page with the reason: %s', async (_how, status, words, come) => {
    const response = await come();
    expect([response.statusCode, response.headers['content-type']]).toEqual([
      status,
      'text/html; charset=utf-8',
    ]);
    expect(response.body).toContain(words);
    expect(response.body).not.toMatch(/<script|call 555|quaver|token-/);
  });
});

describe('POST …/install-links', () => {
  test.each([
    [404, 'channel_not_found', customer, 'chan_none'],
    [404, 'workspace_not_found', 'ws_none', parent],
  ])('%i %s', async (status, code, workspace, channel) => {
    const response = await operate('POST', `/workspaces/${workspace}/channels/${channel}/install-links`);
    expect([response.statusCode, response.json().code]).toEqual([status, code]);
  });

  test('requires the operator token', async () => {
    const url = `/admin/v1/workspaces/${customer}/channels/${parent}/install-links`;
    expect((await app.inject({ method: 'POST', url })).statusCode).toBe(401);
  });
});
