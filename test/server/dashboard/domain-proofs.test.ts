import { beforeEach, describe, expect, test } from 'vitest';
import { client, openIdentityProvider } from '../../helpers/servers/browser/open-identity-provider.ts';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';
import { cookiesOf, sameOrigin, signInPerson, testPassword } from '../../helpers/servers/sign-in-person.ts';

const base = 'http://parley.example';
/** The TXT records; an error if the DNS servers fail. */
const dns = new Map<string, string[] | Error>();
const server = await openTestServer({
  runtime: {
    environment: { ALLOW_PRIVATE_SIGN_IN: 'true', PUBLIC_URL: base },
    resolveTxt: async (name) => {
      const found = dns.get(name);
      if (found === undefined) throw Object.assign(new TypeError(name), { code: 'ENODATA' });
      if (found instanceof Error) throw found;
      return found.map((text) => [text.slice(0, 5), text.slice(5)]);
    },
  },
});
const { app, operate, runtime } = server;
const { kysely } = runtime.database;
const [acme, bank] = [
  await server.makeWorkspace({ name: 'Acme' }),
  await server.makeWorkspace({ name: 'Bank' }),
];
const callbackOf = (owner: string) => `${base}/dashboard/provider/${owner}/callback`;
const idp = await openIdentityProvider([callbackOf(acme.owner), callbackOf(bank.owner)]);
const rulesOf = ({ id }: { readonly id: string }) => `/workspaces/${id}/sign-in`;

const save = (workspace: typeof acme, domains: readonly string[]) =>
  operate('PUT', rulesOf(workspace), {
    name: 'Accounts',
    issuer: idp.issuer,
    client_id: client.id,
    client_secret: client.secret,
    domains,
    default_role: 'agent',
  });
const check = (workspace: typeof acme, domain: string) =>
  operate('POST', `${rulesOf(workspace)}/domains/${domain}/check`);
const proofOf = async (workspace: typeof acme, domain: string) => {
  const { domain_proofs: proofs } = (await operate('GET', rulesOf(workspace))).json();
  return proofs.find((proof: { domain: string }) => proof.domain === domain);
};
const prove = async (workspace: typeof acme, domain: string) => {
  const { record_name, record_value } = await proofOf(workspace, domain);
  dns.set(record_name, [record_value]);
  return check(workspace, domain);
};

let addresses = 0;
const get = (url: string, cookie = '') => {
  addresses += 1;
  const headers = { cookie, host: 'parley.example' };
  return app.inject({ url, remoteAddress: `10.3.${addresses >> 8}.${addresses & 255}`, headers });
};
const offered = async (domain: string) =>
  (await get(`/dashboard/auth-options?domain=${domain}`)).json().providers;

const signInAt = async (workspace: typeof acme) => {
  const begun = await get(`/dashboard/provider/${workspace.owner}`);
  const back = await idp.visit(String(begun.headers.location));
  const answer = await get(back.pathname + back.search, cookiesOf(begun.headers['set-cookie']));
  return { to: answer.headers.location, cookie: cookiesOf(answer.headers['set-cookie']) };
};
const faultOf = async (cookie: string) => (await get('/dashboard/auth-options', cookie)).json().fault;
const post = (url: string, payload: object) =>
  app.inject({ method: 'POST', url, payload, headers: sameOrigin });
const invite = async (workspace: typeof acme, email: string) => {
  const invited = await operate('POST', `/workspaces/${workspace.id}/invitations`, { email, role: 'agent' });
  return String(invited.json().link).split('#')[1] ?? '';
};
const be = (name: string, domain: string) =>
  idp.be({ sub: `${name} at ${domain}`, name, email: `${name}@${domain}`, email_verified: true });

beforeEach(async () => {
  dns.clear();
  for (const workspace of [acme, bank]) await operate('DELETE', rulesOf(workspace));
});

describe('a domain of a provider', () => {
  test('is offered and joined through only once its record is found', async () => {
    const [pending] = (await save(acme, ['acme.example'])).json().domain_proofs;
    expect(pending).toMatchObject({ state: 'pending', record_name: '_parley.acme.example', fault: null });
    be('ann', 'acme.example');
    expect(await offered('acme.example')).toEqual([]);
    expect(await faultOf((await signInAt(acme)).cookie)).toContain('acme.example is not proven yet');
    expect((await check(acme, 'acme.example')).json().domain_proofs).toMatchObject([
      { state: 'pending', fault: 'no_record', checked_at: expect.any(String) },
    ]);
    dns.set('_parley.acme.example', ['v=spf1 -all', 'parley-of-somebody-else']);
    await check(acme, 'acme.example');
    expect((await proofOf(acme, 'acme.example')).fault).toBe('other_record');
    dns.set('_parley.acme.example', Object.assign(new TypeError('timeout'), { code: 'ETIMEOUT' }));
    await check(acme, 'acme.example');
    expect((await proofOf(acme, 'acme.example')).fault).toBe('unreachable');
    dns.set('_parley.acme.example', ['v=spf1 -all', pending.record_value]);
    expect((await check(acme, 'acme.example')).json().domain_proofs).toMatchObject([
      { state: 'verified', verified_by: 'operator', fault: null },
    ]);
    expect(await offered('ACME.example')).toMatchObject([{ name: 'Accounts' }]);
    expect((await signInAt(acme)).to).toBe('/dashboard');
    const { audit_log: log } = (await operate('GET', `/workspaces/${acme.id}/audit-log`)).json();
    expect(log).toContainEqual(expect.objectContaining({ action: 'sign_in_domain_verified' }));
  });

  test('stays with the owner who proved it first, until they release it', async () => {
    await save(acme, ['shared.example']);
    await save(bank, ['shared.example']);
    await prove(acme, 'shared.example');
    expect((await prove(bank, 'shared.example')).json().code).toBe('domain_taken');
    expect(await offered('shared.example')).toHaveLength(1);
    await operate('DELETE', rulesOf(bank));
    expect((await save(bank, ['shared.example'])).json().code).toBe('domain_taken');
    await save(acme, ['acme.example']);
    await save(bank, ['shared.example']);
    expect((await prove(bank, 'shared.example')).json().domain_proofs).toMatchObject([{ state: 'verified' }]);
  });

  test('keeps its proof when other settings change, and loses it when it is removed', async () => {
    await save(acme, ['acme.example']);
    await prove(acme, 'acme.example');
    const { record_value: before } = await proofOf(acme, 'acme.example');
    await save(acme, ['acme.example', 'acme.net']);
    expect(await proofOf(acme, 'acme.example')).toMatchObject({ state: 'verified', record_value: before });
    await save(acme, ['acme.net']);
    await save(acme, ['acme.example']);
    expect(await proofOf(acme, 'acme.example')).toMatchObject({ state: 'pending' });
    expect((await proofOf(acme, 'acme.example')).record_value).not.toBe(before);
  });

  test('cannot be one at which everybody gets an address', async () => {
    expect((await save(acme, ['acme.example', 'GMAIL.com'])).json().code).toBe('domain_not_claimable');
    await save(acme, ['acme.example']);
    expect((await check(acme, 'gmail.com')).json().code).toBe('domain_not_found');
  });
});

describe('an address that only an unproven provider vouches for', () => {
  /** A member from the time before domains were proven. */
  const squat = async (email: string) => {
    const [name = '', domain = ''] = email.split('@');
    await save(acme, [domain]);
    await prove(acme, domain);
    be(name, domain);
    expect((await signInAt(acme)).to).toBe('/dashboard');
    await kysely.updateTable('person').set({ email_verified: false }).where('email', '=', email).execute();
    await kysely.updateTable('sign_in_domain').set({ verified_at: null }).execute();
  };

  test('goes to those who hold an invitation for it, and its account stays a way to its own owner only', async () => {
    await squat('ceo@victim.example');
    const token = await invite(bank, 'ceo@victim.example');
    expect((await post('/dashboard/invitations/look', { token })).json().has_account).toBe(false);
    const entry = { token, name: 'Cora', password: testPassword };
    expect((await post('/dashboard/invitations/accept', entry)).statusCode).toBe(201);
    const { members } = (await operate('GET', `/workspaces/${bank.id}/members`)).json();
    expect(members).toMatchObject([{ email: 'ceo@victim.example', name: 'Cora' }]);
    const { to, cookie } = await signInAt(acme);
    expect(to).toBe('/dashboard');
    const me = (await get('/admin/v1/me', cookie)).json();
    expect(me.person.email).toMatch(/@unproven\.invalid$/);
    expect(me.workspaces).toMatchObject([{ id: acme.id }]);
  });

  test('goes to the provider of the owner who proves the domain', async () => {
    await squat('eve@bank.example');
    await operate('DELETE', rulesOf(acme));
    await save(bank, ['bank.example']);
    await prove(bank, 'bank.example');
    idp.be({ sub: 'the true Eve', name: 'Eve', email: 'eve@bank.example', email_verified: true });
    const { cookie } = await signInAt(bank);
    const me = (await get('/admin/v1/me', cookie)).json();
    expect([me.person.email, me.workspaces.map(({ id }: { id: string }) => id)]).toEqual([
      'eve@bank.example',
      [bank.id],
    ]);
  });

  test('is as good as any other once its owner has proven the domain', async () => {
    await squat('fay@acme.example');
    await prove(acme, 'acme.example');
    const token = await invite(bank, 'fay@acme.example');
    expect((await post('/dashboard/invitations/look', { token })).json().has_account).toBe(true);
    const entry = { token, name: 'Fay', password: testPassword };
    expect((await post('/dashboard/invitations/accept', entry)).json().code).toBe('member_exists');
  });

  test('is never taken from a person with a password', async () => {
    await signInPerson(server, { email: 'gil@acme.example', role: 'agent', ownerId: acme.owner });
    await kysely
      .updateTable('person')
      .set({ email_verified: false })
      .where('email', '=', 'gil@acme.example')
      .execute();
    const token = await invite(bank, 'gil@acme.example');
    const entry = { token, name: 'Gil', password: testPassword };
    expect((await post('/dashboard/invitations/accept', entry)).json().code).toBe('member_exists');
  });
});
