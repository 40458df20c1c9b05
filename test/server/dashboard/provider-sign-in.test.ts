import { createServer, type Server } from 'node:http';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { client, openIdentityProvider } from '../../helpers/servers/browser/open-identity-provider.ts';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';
import {
  cookiesOf,
  sameOrigin,
  signIn,
  signInPerson,
  testPassword,
} from '../../helpers/servers/sign-in-person.ts';

const base = 'http://parley.example';
const dns = new Map<string, string>();
const server = await openTestServer({
  runtime: {
    environment: { ALLOW_PRIVATE_SIGN_IN: 'true', PUBLIC_URL: base },
    resolveTxt: async (name) => [[dns.get(name) ?? '']],
  },
});
const { app, runtime, operate } = server;
const workspace = await server.makeWorkspace({ name: 'Acme' });
const other = await server.makeWorkspace({ name: 'Other' });
const callbackOf = (owner: string) => `${base}/dashboard/provider/${owner}/callback`;
const idp = await openIdentityProvider([callbackOf(workspace.owner), callbackOf(other.owner)]);
const rules = `/workspaces/${workspace.id}/sign-in`;
const ann = await signInPerson(server, {
  email: 'ann@acme.example',
  role: 'owner',
  ownerId: workspace.owner,
});
const settings = {
  name: 'Acme accounts',
  issuer: idp.issuer,
  client_id: client.id,
  domains: ['acme.example'],
  default_role: 'agent',
};

const save = (change: object = {}) =>
  ann.call('PUT', `/admin/v1${rules}`, { ...settings, client_secret: client.secret, ...change });

let addresses = 0;
/** Each sign-in comes from an address of its own, because they are limited by address. */
const get = (url: string, cookie = '') => {
  addresses += 1;
  const remoteAddress = `10.2.${addresses >> 8}.${addresses & 255}`;
  return app.inject({ url, remoteAddress, headers: { cookie, host: 'parley.example' } });
};

const start = async (owner = workspace.owner) => {
  const answer = await get(`/dashboard/provider/${owner}`);
  return { url: String(answer.headers.location), cookie: cookiesOf(answer.headers['set-cookie']) };
};

/** The whole way: to the provider, back, and the cookies of the session or of the fault. */
const signInAtProvider = async (owner = workspace.owner) => {
  const begun = await start(owner);
  const back = await idp.visit(begun.url);
  const answer = await get(back.pathname + back.search, begun.cookie);
  return { answer, back, begun, cookie: cookiesOf(answer.headers['set-cookie']) };
};

const faultOf = async (cookie: string) => (await get('/dashboard/auth-options', cookie)).json().fault;
const meOf = async (cookie: string) => (await get('/admin/v1/me', cookie)).json();
const person = (name: string, claims: object = {}) => ({
  sub: name,
  name,
  email: `${name}@acme.example`,
  email_verified: true,
  ...claims,
});

const opened: Server[] = [];
afterAll(() => {
  for (const each of opened) each.close();
});

const portOf = (listening: Server) => {
  const address = listening.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

const testProvider = async () => {
  const answer = await ann.call('POST', `/admin/v1${rules}/test`);
  const back = await idp.visit(answer.json().url);
  await get(back.pathname + back.search, cookiesOf(answer.headers['set-cookie']));
  return (await ann.call('GET', `/admin/v1${rules}`)).json().provider;
};

beforeEach(async () => {
  idp.be(person('nobody'));
  const whole = { ...settings, client_secret: client.secret };
  const saved = await operate('PUT', rules, whole);
  expect(saved.statusCode).toBe(200);
  for (const { state, domain, record_name, record_value } of saved.json().domain_proofs) {
    dns.set(record_name, record_value);
    if (state === 'pending') await operate('POST', `${rules}/domains/${domain}/check`);
  }
});

describe('a sign-in at the provider of an owner', () => {
  test('joins somebody new with the default role and opens this owner only', async () => {
    idp.be(person('ben'));
    const { answer, cookie } = await signInAtProvider();
    expect([answer.statusCode, answer.headers.location]).toEqual([302, '/dashboard']);
    expect(await meOf(cookie)).toMatchObject({
      person: { email: 'ben@acme.example', name: 'ben', is_operator: false, has_password: false },
      workspaces: [{ id: workspace.id, role: 'agent' }],
    });
    const { audit_log: log } = (await operate('GET', `/workspaces/${workspace.id}/audit-log`)).json();
    expect(log).toContainEqual(expect.objectContaining({ action: 'signed_in', actor: 'ben' }));
    expect(log).toContainEqual(expect.objectContaining({ action: 'member_joined' }));
  });

  test('recognises the person by the id of the provider when their address changes', async () => {
    idp.be(person('ben', { email: 'benjamin@acme.example' }));
    const { cookie } = await signInAtProvider();
    expect((await meOf(cookie)).person.email).toBe('ben@acme.example');
  });

  test('takes the role of an open invitation', async () => {
    const invited = { email: 'cleo@acme.example', role: 'viewer' };
    await operate('POST', `/workspaces/${workspace.id}/invitations`, invited);
    idp.be(person('cleo'));
    const { cookie } = await signInAtProvider();
    expect((await meOf(cookie)).workspaces).toMatchObject([{ id: workspace.id, role: 'viewer' }]);
    const { invitations } = (await operate('GET', `/workspaces/${workspace.id}/invitations`)).json();
    expect(invitations).toEqual([]);
  });

  test('recognises a member by their address, and is no way to their other owners', async () => {
    const { owner: ownerId } = workspace;
    await signInPerson(server, { email: 'dan@acme.example', role: 'agent', ownerId });
    const { link } = (
      await operate('POST', `/workspaces/${other.id}/invitations`, {
        email: 'dan@acme.example',
        role: 'owner',
      })
    ).json();
    const dan = await signIn(app, 'dan@acme.example');
    await dan.call('POST', '/dashboard/invitations/accept', { token: link.split('#')[1] });
    expect((await meOf(dan.cookie)).workspaces).toHaveLength(2);
    idp.be(person('dan'));
    const { cookie } = await signInAtProvider();
    expect((await meOf(cookie)).workspaces).toMatchObject([{ id: workspace.id }]);
    expect((await get(`/admin/v1/workspaces/${other.id}`, cookie)).json().code).toBe('workspace_not_found');
  });

  test('cannot add a password, a passkey or a second factor to the person', async () => {
    idp.be(person('dan'));
    const { cookie } = await signInAtProvider();
    for (const path of ['change-password', 'two-factor/enable', 'passkey/verify-registration']) {
      const answer = await app.inject({
        method: 'POST',
        url: `/dashboard/auth/${path}`,
        headers: { ...sameOrigin, cookie },
        payload: { password: testPassword, currentPassword: testPassword, newPassword: 'another-teapot-9' },
      });
      expect([path, answer.json().code]).toEqual([path, 'permission_denied']);
    }
  });

  test('takes nothing of an operator but their membership', async () => {
    await signInPerson(server, { email: 'eve@acme.example', role: 'operator', ownerId: workspace.owner });
    idp.be(person('eve'));
    const { cookie } = await signInAtProvider();
    expect((await meOf(cookie)).person.is_operator).toBe(false);
    expect((await get('/admin/v1/persons', cookie)).json().code).toBe('permission_denied');
  });

  test('refuses the address of somebody who has an account elsewhere', async () => {
    await signInPerson(server, { email: 'fay@acme.example', role: 'agent', ownerId: other.owner });
    idp.be(person('fay'));
    const { answer, cookie } = await signInAtProvider();
    expect(answer.headers.location).toBe('/dashboard/sign-in');
    expect(await faultOf(cookie)).toContain('fay@acme.example has an account here and is no member');
  });

  test('does not bring back somebody who was removed', async () => {
    idp.be(person('gil'));
    await signInAtProvider();
    const { members } = (await operate('GET', `/workspaces/${workspace.id}/members`)).json();
    const { id } = members.find(({ email }: { email: string }) => email === 'gil@acme.example');
    await operate('DELETE', `/workspaces/${workspace.id}/members/${id}`);
    const { cookie } = await signInAtProvider();
    expect(await faultOf(cookie)).toContain('no member any more');
  });

  test('refuses an address that the provider has not verified, or does not say anything about', async () => {
    for (const email_verified of [false, null, 'true']) {
      idp.be(person('hal', { email_verified }));
      const { cookie } = await signInAtProvider();
      expect(await faultOf(cookie)).toBe('Acme accounts has not verified hal@acme.example.');
    }
    idp.be(person('hal', { email_verified: undefined }));
    const { cookie } = await signInAtProvider();
    expect(await faultOf(cookie)).toContain('does not say that it has verified hal@acme.example');
  });

  test('accepts an address that is not marked if an owner trusts the provider, but none that is unverified', async () => {
    expect((await save({ trusts_addresses: true })).json().provider.trusts_addresses).toBe(true);
    idp.be(person('ida', { email_verified: undefined }));
    expect((await meOf((await signInAtProvider()).cookie)).person.email).toBe('ida@acme.example');
    for (const email_verified of [false, null, 'true']) {
      idp.be(person('hal', { email_verified }));
      const { cookie } = await signInAtProvider();
      expect(await faultOf(cookie)).toBe('Acme accounts has not verified hal@acme.example.');
    }
    idp.be(person('ian', { email: 'ian@notacme.example', email_verified: undefined }));
    expect(await faultOf((await signInAtProvider()).cookie)).toContain('is not at a domain');
    await save();
  });

  test('refuses an address at another domain', async () => {
    idp.be(person('ian', { email: 'ian@notacme.example' }));
    const { cookie } = await signInAtProvider();
    expect(await faultOf(cookie)).toContain('ian@notacme.example is not at a domain');
  });

  test('shows the words of a provider that refuses', async () => {
    idp.refuse('Ask the help desk for access.');
    const { cookie } = await signInAtProvider();
    expect(await faultOf(cookie)).toBe('Acme accounts says: Ask the help desk for access.');
    expect(await faultOf('')).toBeNull();
  });

  test('refuses an ID token for another nonce', async () => {
    idp.be(person('jo'));
    const begun = await start();
    const url = new URL(begun.url);
    url.searchParams.set('nonce', 'of-another-sign-in');
    const back = await idp.visit(url.href);
    const answer = await get(back.pathname + back.search, begun.cookie);
    expect(await faultOf(cookiesOf(answer.headers['set-cookie']))).toMatch(/not accepted: .*nonce/);
  });

  test('works once: neither the address nor its code can be used again', async () => {
    idp.be(person('kit'));
    const { back, begun } = await signInAtProvider();
    const again = await get(back.pathname + back.search, begun.cookie);
    expect(await faultOf(cookiesOf(again.headers['set-cookie']))).toContain('was used already');
    const next = await start();
    const state = new URL(next.url).searchParams.get('state') ?? '';
    back.searchParams.set('state', state);
    const replayed = await get(back.pathname + back.search, next.cookie);
    expect(await faultOf(cookiesOf(replayed.headers['set-cookie']))).toContain('Acme accounts says:');
  });

  test('ends in the browser in which it began only', async () => {
    idp.be(person('lea'));
    const begun = await start();
    const back = await idp.visit(begun.url);
    const answer = await get(back.pathname + back.search, (await start()).cookie);
    expect(await faultOf(cookiesOf(answer.headers['set-cookie']))).toContain('another browser');
  });

  test('leads to pages of the dashboard only', async () => {
    idp.be(person('ben'));
    for (const [wanted, found] of [
      ['/dashboard/me?x=1', '/dashboard/me?x=1'],
      ['https://evil.example/dashboard', '/dashboard'],
      ['//evil.example/dashboard', '/dashboard'],
    ] as const) {
      const begun = await get(`/dashboard/provider/${workspace.owner}?return=${encodeURIComponent(wanted)}`);
      const back = await idp.visit(String(begun.headers.location));
      const answer = await get(back.pathname + back.search, cookiesOf(begun.headers['set-cookie']));
      expect(answer.headers.location).toBe(found);
    }
  });

  test('fails if the provider describes itself as another issuer', async () => {
    const impostor = createServer(async (_request, response) => {
      const real = await fetch(`${idp.issuer}/.well-known/openid-configuration`);
      response.writeHead(200, { 'content-type': 'application/json' }).end(await real.text());
    });
    await new Promise<void>((resolve) => impostor.listen(0, '127.0.0.1', resolve));
    opened.push(impostor);
    await save({ issuer: `http://127.0.0.1:${portOf(impostor)}` });
    const begun = await get(`/dashboard/provider/${workspace.owner}`);
    expect(await faultOf(cookiesOf(begun.headers['set-cookie']))).toMatch(/not accepted: .*issuer/);
  });

  test('refuses an ID token that is signed by another key or made for another client', async () => {
    const [known, stranger] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')];
    let tokenFor = async (_nonce: string) => '';
    let issuer = '';
    let nonce = '';
    const forger = createServer(async ({ url = '' }, response) => {
      const answers: Readonly<Record<string, object>> = {
        '/.well-known/openid-configuration': {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
          response_types_supported: ['code'],
        },
        '/keys': { keys: [{ ...(await exportJWK(known.publicKey)), use: 'sig', alg: 'RS256' }] },
        '/token': { access_token: 'a', token_type: 'Bearer', id_token: await tokenFor(nonce) },
      };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answers[url]));
    });
    await new Promise<void>((resolve) => forger.listen(0, '127.0.0.1', resolve));
    opened.push(forger);
    issuer = `http://127.0.0.1:${portOf(forger)}`;
    await save({ issuer });
    const sign = (key: CryptoKey, audience: string) => (of: string) =>
      new SignJWT({ ...person('mia'), nonce: of })
        .setProtectedHeader({ alg: 'RS256' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(key);
    const attempt = async () => {
      const begun = await start();
      const { searchParams } = new URL(begun.url);
      nonce = searchParams.get('nonce') ?? '';
      const query = new URLSearchParams({ code: 'c', state: searchParams.get('state') ?? '' });
      const answer = await get(`/dashboard/provider/${workspace.owner}/callback?${query}`, begun.cookie);
      return { answer, cookie: cookiesOf(answer.headers['set-cookie']) };
    };
    tokenFor = sign(stranger.privateKey, client.id);
    expect(await faultOf((await attempt()).cookie)).toMatch(/not accepted: .*signature/);
    tokenFor = sign(known.privateKey, 'another-client');
    expect(await faultOf((await attempt()).cookie)).toMatch(/not accepted: .*aud/);
    tokenFor = sign(known.privateKey, client.id);
    expect((await attempt()).answer.headers.location).toBe('/dashboard');
  });

  test('fails with the wrong secret, in the words of the provider', async () => {
    await save({ client_secret: 'another-secret-of-the-client-of-32' });
    const { cookie } = await signInAtProvider();
    expect(await faultOf(cookie)).toContain('Acme accounts says: client authentication failed');
  });

  test('is off where the provider is disabled, which ends the sessions that began there', async () => {
    idp.be(person('ben'));
    const { cookie } = await signInAtProvider();
    const begun = await start();
    const back = await idp.visit(begun.url);
    await save({ enabled: false });
    expect((await meOf(cookie)).code).toBe('invalid_session');
    const late = await get(back.pathname + back.search, begun.cookie);
    expect(await faultOf(cookiesOf(late.headers['set-cookie']))).toContain('switched off');
    const refused = await get(`/dashboard/provider/${workspace.owner}`);
    expect(await faultOf(cookiesOf(refused.headers['set-cookie']))).toContain('switched off');
    expect((await get('/dashboard/auth-options?domain=acme.example')).json().providers).toEqual([]);
  });
});

describe('the settings of a provider', () => {
  test('never return the secret, and keep it when it is left out', async () => {
    const saved = await ann.call('PUT', `/admin/v1${rules}`, settings);
    expect(saved.json()).toEqual({
      provider: {
        ...settings,
        trusts_addresses: false,
        enabled: true,
        required: false,
        tested_at: null,
        tested_as: null,
        test_fault: null,
      },
      callback_url: callbackOf(workspace.owner),
      sign_in_url: `${base}/dashboard/provider/${workspace.owner}`,
      domain_proofs: [expect.objectContaining({ domain: 'acme.example', state: 'verified' })],
    });
    expect((await testProvider()).tested_as).toBe('nobody@acme.example');
  });

  test('offer the provider to addresses of its domains', async () => {
    const { providers } = (await get('/dashboard/auth-options?domain=ACME.example')).json();
    expect(providers).toEqual([{ name: 'Acme accounts', url: `/dashboard/provider/${workspace.owner}` }]);
    expect((await get('/dashboard/auth-options?domain=else.example')).json().providers).toEqual([]);
  });

  test('need a secret at first, and an address with https unless private ones are allowed', async () => {
    const path = `/workspaces/${other.id}/sign-in`;
    expect((await operate('PUT', path, settings)).json().code).toBe('invalid_client_secret');
    const closed = await openTestServer();
    const { id } = await closed.makeWorkspace();
    const put = (issuer: string) =>
      closed.operate('PUT', `/workspaces/${id}/sign-in`, { ...settings, issuer, client_secret: 'x' });
    expect((await put(idp.issuer)).json().code).toBe('invalid_issuer');
    expect((await put('https://127.0.0.1:8319')).statusCode).toBe(200);
    const refused = await closed.operate('POST', `/workspaces/${id}/sign-in/test`);
    expect(refused.json()).toMatchObject({
      code: 'provider_sign_in_failed',
      detail: '127.0.0.1 is not a public address.',
    });
  });

  test('are tested by the whole way, which signs nobody in and tells the fault', async () => {
    const before = (await operate('GET', `/workspaces/${workspace.id}/members`)).json().members.length;
    idp.be(person('tess'));
    expect(await testProvider()).toMatchObject({ tested_as: 'tess@acme.example', test_fault: null });
    idp.be(person('tess', { email_verified: false }));
    expect((await testProvider()).test_fault).toBe('Acme accounts has not verified tess@acme.example.');
    const after = (await operate('GET', `/workspaces/${workspace.id}/members`)).json().members.length;
    expect(after).toBe(before);
  });

  test('are in the audit log by their names, without values', async () => {
    await save({ name: 'Acme people' });
    const { audit_log: log } = (await operate('GET', `/workspaces/${workspace.id}/audit-log`)).json();
    expect(log[0]).toMatchObject({
      action: 'sign_in_provider_changed',
      actor: 'ann',
      details: { fields: ['name', 'client_secret'] },
    });
  });

  test('are for owners', async () => {
    const gus = await signInPerson(server, {
      email: 'gus@acme.example',
      role: 'agent',
      ownerId: workspace.owner,
    });
    expect((await gus.call('GET', `/admin/v1${rules}`)).json().code).toBe('permission_denied');
  });
});

describe('a provider that is the only way', () => {
  const required = { ...settings, required: true };
  const byPassword = (email: string) =>
    app.inject({
      method: 'POST',
      url: '/dashboard/auth/sign-in/email',
      headers: sameOrigin,
      payload: { email, password: testPassword },
    });

  test('must have been tested, and an owner must have another strong way', async () => {
    const put = () => ann.call('PUT', `/admin/v1${rules}`, required);
    expect((await put()).json().code).toBe('sign_in_untested');
    await testProvider();
    expect((await put()).json().code).toBe('no_emergency_exit');
    await runtime.database.kysely
      .updateTable('person')
      .set({ two_factor_enabled: true })
      .where('email', '=', 'ann@acme.example')
      .execute();
    expect((await put()).json().provider.required).toBe(true);
    expect((await ann.call('GET', `/admin/v1/workspaces/${workspace.id}`)).json().code).toBe(
      'workspace_not_found',
    );
  });

  test('refuses the password of members with a clear error, and hides the owner from the rest', async () => {
    const { owner: ownerId } = workspace;
    const max = { email: 'max@acme.example', role: 'agent', ownerId } as const;
    const before = await signInPerson(server, max);
    const session = runtime.database.kysely.updateTable('person_session').set({ method: 'second_factor' });
    const { person: me } = await meOf(ann.cookie);
    await session.where('person_id', '=', me.id).execute();
    await testProvider();
    expect((await ann.call('PUT', `/admin/v1${rules}`, required)).json().provider.required).toBe(true);
    const refused = await byPassword(max.email);
    expect([refused.statusCode, refused.json()]).toMatchObject([
      403,
      {
        code: 'sign_in_with_provider',
        detail: 'Acme accounts asks for its own sign-in. Choose it on the sign-in page.',
      },
    ]);
    expect(refused.headers['set-cookie']).toBeUndefined();
    expect((await meOf(before.cookie)).workspaces).toEqual([]);
    // Dan is also an owner elsewhere.
    const dan = cookiesOf((await byPassword('dan@acme.example')).headers['set-cookie']);
    expect((await meOf(dan)).workspaces).toMatchObject([{ id: other.id }]);
    idp.be(person('max'));
    const { cookie } = await signInAtProvider();
    expect((await meOf(cookie)).workspaces).toMatchObject([{ id: workspace.id }]);
  });

  test('stays open to an owner with a second factor or a passkey, and to no agent', async () => {
    const database = runtime.database.kysely;
    await testProvider();
    await ann.call('PUT', `/admin/v1${rules}`, required);
    expect((await meOf(ann.cookie)).workspaces).toMatchObject([{ id: workspace.id, role: 'owner' }]);
    idp.be(person('max'));
    const { cookie } = await signInAtProvider();
    const { person: max } = await meOf(cookie);
    const sessions = database.updateTable('person_session').where('person_id', '=', max.id);
    await sessions.set({ method: 'passkey', owner_id: null }).execute();
    expect((await meOf(cookie)).workspaces).toEqual([]);
  });

  test('makes invitations lead to it', async () => {
    await testProvider();
    await ann.call('PUT', `/admin/v1${rules}`, required);
    const { link } = (
      await operate('POST', `/workspaces/${workspace.id}/invitations`, {
        email: 'uli@acme.example',
        role: 'agent',
      })
    ).json();
    const token = link.split('#')[1];
    const post = (url: string, payload: object) =>
      app.inject({ method: 'POST', url, payload, headers: sameOrigin });
    expect((await post('/dashboard/invitations/look', { token })).json().provider).toEqual({
      name: 'Acme accounts',
      url: `/dashboard/provider/${workspace.owner}`,
    });
    const entry = { token, name: 'Uli', password: testPassword };
    expect((await post('/dashboard/invitations/accept', entry)).json().code).toBe('sign_in_with_provider');
  });

  test('is one no longer with another secret, until it is tested again', async () => {
    await testProvider();
    await ann.call('PUT', `/admin/v1${rules}`, required);
    const changed = await save({ required: true });
    expect(changed.json().provider).toMatchObject({ required: false, tested_at: null });
  });
});
