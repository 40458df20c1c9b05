import { describe, expect, test } from 'vitest';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';
import { signInPerson } from '../../helpers/servers/sign-in-person.ts';

const away = await openTestServer({
  runtime: { environment: { PUBLIC_URL: 'https://parley.example', TRUST_PROXY: '10.9.0.0/16' } },
});
const alone = await openTestServer();
const get = (server: typeof away, url: string, host: string, headers: object = {}) =>
  server.app.inject({ url, headers: { host, ...headers } });

describe('with PUBLIC_URL', () => {
  test.each(['/dashboard', '/dashboard/auth-options', '/admin/v1/me', '/dashboard/auth/get-session'])(
    '%s answers to its own host and to this machine only',
    async (url) => {
      const foreign = await get(away, url, 'evil.example');
      expect([foreign.statusCode, foreign.json().code]).toEqual([421, 'misdirected_request']);
      for (const host of ['parley.example.evil.example', 'parley.example@evil.example', '10.0.0.7:8080']) {
        expect([host, (await get(away, url, host)).statusCode]).toEqual([host, 421]);
      }
      for (const host of [
        'parley.example',
        'PARLEY.example:443',
        'localhost:8080',
        '127.0.0.1:8080',
        '[::1]:80',
      ]) {
        expect([host, (await get(away, url, host)).statusCode]).not.toEqual([host, 421]);
      }
    },
  );

  test.each(['/healthz', '/readyz', '/v1/conversations', '/webhooks/chan_none', '/c/none', '/docs'])(
    '%s answers to every host',
    async (url) => {
      expect((await get(away, url, '10.0.0.7:8080')).statusCode).not.toBe(421);
    },
  );

  test('a program with the operator’s token may call by an inner name', async () => {
    const authorization = `Bearer ${away.runtime.installation.adminToken}`;
    expect((await get(away, '/admin/v1/workspaces', 'parley.svc:8080', { authorization })).statusCode).toBe(
      200,
    );
  });

  test('the host that a trusted proxy names counts, and that of a stranger does not', async () => {
    const from = (remoteAddress: string) =>
      away.app.inject({
        url: '/dashboard/auth-options',
        remoteAddress,
        headers: { host: '10.0.0.7', 'x-forwarded-host': 'parley.example' },
      });
    expect((await from('10.9.0.1')).statusCode).toBe(200);
    expect((await from('10.8.0.1')).statusCode).toBe(421);
  });

  test('links lead to it, whatever the host', async () => {
    const { id } = await away.makeWorkspace();
    const headers = { host: 'evil.example', authorization: `Bearer ${away.runtime.installation.adminToken}` };
    const url = `/admin/v1/workspaces/${id}/invitations`;
    const payload = { email: 'ben@acme.example', role: 'agent' };
    const { link } = (await away.app.inject({ method: 'POST', url, headers, payload })).json();
    expect(link).toMatch(/^https:\/\/parley\.example\/dashboard\/invite#/);
  });
});

describe('without PUBLIC_URL', () => {
  test('links are made on this machine only', async () => {
    const { id, owner: ownerId } = await alone.makeWorkspace();
    await signInPerson(alone, { email: 'ann@acme.example', role: 'owner', ownerId });
    const invite = async (host: string) => {
      const authorization = `Bearer ${alone.runtime.installation.adminToken}`;
      const url = `/admin/v1/workspaces/${id}/invitations`;
      const payload = { email: 'ben@acme.example', role: 'agent' };
      return (
        await alone.app.inject({ method: 'POST', url, payload, headers: { host, authorization } })
      ).json();
    };
    expect((await invite('evil.example')).code).toBe('no_public_address');
    expect((await invite('localhost:8080')).link).toMatch(/^http:\/\/localhost:8080\/dashboard\/invite#/);
    expect((await get(alone, '/dashboard/auth-options', 'evil.example')).statusCode).toBe(200);
  });
});
