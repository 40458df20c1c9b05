import { describe, expect, test } from 'vitest';
import { createLink } from '../../../core/members/member-links.ts';
import { DEMO_WORKSPACE_SETTING } from '../../../core/workspaces/workspaces.ts';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';
import {
  cookiesOf,
  sameOrigin,
  signIn,
  signInPerson,
  testPassword,
} from '../../helpers/servers/sign-in-person.ts';

let now = new Date();
const clock = { now: () => now };
const advance = (ms: number) => {
  now = new Date(now.getTime() + ms);
};
const server = await openTestServer({ runtime: { clock } });
const { app, runtime, operate } = server;
const database = runtime.database.kysely;
const workspace = await server.makeWorkspace({ name: 'Acme' });

const post = (url: string, payload: object, headers: Readonly<Record<string, string>> = {}) =>
  app.inject({ method: 'POST', url, payload, headers: { ...sameOrigin, ...headers } });

const beginLink = async () =>
  (
    await createLink(database, {
      kind: 'begin',
      ownerId: workspace.owner,
      role: 'owner',
      createdBy: 'operator',
      now: clock.now(),
    })
  ).token;

describe('the first link of an installation', () => {
  test('rejects a password that is easy to guess, and stops working after a day', async () => {
    const token = await beginLink();
    const entry = { token, name: 'Bea', email: 'beatrice@acme.example' };
    for (const password of ['short', 'aaaaaaaaaaaaaa', 'password1234', 'beatrice-2026']) {
      expect((await post('/dashboard/begin', { ...entry, password })).json().code).toBe('weak_password');
    }
    advance(25 * 3_600_000);
    expect((await post('/dashboard/begin', { ...entry, password: testPassword })).statusCode).toBe(410);
  });

  test('ends with the first person who joins by an invitation', async () => {
    const other = await openTestServer();
    const { owner: ownerId } = await other.makeWorkspace();
    const { token } = await other.runtime.members.createFirstLink(ownerId);
    await signInPerson(other, { email: 'ann@acme.example', role: 'viewer', ownerId });
    const begun = await other.app.inject({
      method: 'POST',
      url: '/dashboard/begin',
      headers: sameOrigin,
      payload: { token, name: 'Eve', email: 'eve@acme.example', password: testPassword },
    });
    expect(begun.json().code).toBe('link_expired');
  });

  test('makes the first person an owner of the demo workspace too, which has an owner of its own', async () => {
    const other = await openTestServer();
    const demo = await other.makeWorkspace({ name: 'Demo', owner: 'own_demo' });
    await other.runtime.database.kysely
      .insertInto('setting')
      .values({ name: DEMO_WORKSPACE_SETTING, value: demo.id })
      .execute();
    const shop = await other.makeWorkspace({ name: 'Shop', owner: 'own_shop' });
    await other.makeWorkspace({ name: 'A customer of the operator', owner: 'own_customer' });
    const { token } = await other.runtime.members.createFirstLink(shop.owner);
    const begun = await other.app.inject({
      ...{ method: 'POST', url: '/dashboard/begin', headers: sameOrigin },
      payload: { token, name: 'Ann', email: 'ann@acme.example', password: testPassword },
    });
    const cookie = cookiesOf(begun.headers['set-cookie']);
    const me = await other.app.inject({ url: '/admin/v1/me', headers: { cookie } });
    // An operator sees the others by name only.
    const roles = me
      .json()
      .workspaces.map(({ name, role }: { name: string; role: string | null }) => [name, role]);
    expect(Object.fromEntries(roles)).toMatchObject({ Demo: 'owner', Shop: 'owner' });
    expect(Object.fromEntries(roles)['A customer of the operator']).not.toBe('owner');
  });

  test('makes its operator, who owns the workspaces and is signed in', async () => {
    const token = await beginLink();
    const entry = { token, name: 'Ann', email: 'Ann@acme.example', password: testPassword };
    const begun = await post('/dashboard/begin', entry);
    expect(begun.statusCode).toBe(201);
    const cookie = cookiesOf(begun.headers['set-cookie']);
    const me = await app.inject({ url: '/admin/v1/me', headers: { cookie } });
    expect(me.json()).toMatchObject({
      person: { email: 'ann@acme.example', name: 'Ann', is_operator: true, theme: 'auto' },
      workspaces: [{ id: workspace.id, name: 'Acme', role: 'owner' }],
    });
    expect((await post('/dashboard/begin', { ...entry, email: 'eve@acme.example' })).json()).toMatchObject({
      code: 'link_expired',
    });
  });

  test('opens nothing once somebody can sign in', async () => {
    const entry = {
      token: await beginLink(),
      name: 'Bea',
      email: 'bea@acme.example',
      password: testPassword,
    };
    expect((await post('/dashboard/begin', entry)).json().code).toBe('link_expired');
    expect((await operate('POST', '/begin-link')).json().code).toBe('already_begun');
  });
});

describe('a session', () => {
  test('is kept by a cookie that scripts cannot read and other sites do not send', async () => {
    const person = { email: 'dora@acme.example', role: 'agent', ownerId: workspace.owner } as const;
    await signInPerson(server, person);
    const answer = await post('/dashboard/auth/sign-in/email', {
      email: person.email,
      password: testPassword,
    });
    expect(String(answer.headers['set-cookie'])).toMatch(/^parley=[^;]+;.*HttpOnly; SameSite=Lax$/);
  });

  test('ends with the sign-out', async () => {
    const person = await signIn(app, 'dora@acme.example');
    expect((await person.call('GET', '/admin/v1/me')).statusCode).toBe(200);
    await person.call('POST', '/dashboard/auth/sign-out', {});
    expect((await person.call('GET', '/admin/v1/me')).json().code).toBe('invalid_session');
  });

  test('ends when the password is changed elsewhere', async () => {
    const [one, other] = [await signIn(app, 'dora@acme.example'), await signIn(app, 'dora@acme.example')];
    const change = { currentPassword: testPassword, newPassword: 'another-teapot-43' };
    expect((await one.call('POST', '/dashboard/auth/change-password', change)).statusCode).toBe(200);
    expect((await other.call('GET', '/admin/v1/me')).statusCode).toBe(401);
  });

  test('cannot write from another site, nor without an origin', async () => {
    const person = await signInPerson(server, {
      email: 'finn@acme.example',
      role: 'owner',
      ownerId: workspace.owner,
    });
    const patch = (headers: Readonly<Record<string, string>>) =>
      app.inject({
        method: 'PATCH',
        url: '/admin/v1/me',
        payload: { name: 'Finn' },
        headers: { cookie: person.cookie, host: 'parley.example', ...headers },
      });
    const codes = [
      await patch({ origin: 'https://evil.example' }),
      await patch({ origin: 'http://parley.example', 'sec-fetch-site': 'cross-site' }),
      await patch({}),
    ].map((answer) => answer.json().code);
    expect(codes).toEqual(['cross_site_request', 'cross_site_request', 'cross_site_request']);
    expect((await patch({ origin: 'http://parley.example' })).statusCode).toBe(200);
  });

  test('takes no more passwords of an account after five failures, known or unknown', async () => {
    for (const email of ['finn@acme.example', 'nobody@acme.example']) {
      const attempt = (password: string) => post('/dashboard/auth/sign-in/email', { email, password });
      const statuses = [];
      for (let tries = 0; tries < 6; tries += 1) statuses.push((await attempt('wrong-teapot-99')).statusCode);
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
      expect((await attempt(testPassword)).headers['retry-after']).toBe('30');
    }
    advance(31_000);
    expect((await signIn(app, 'finn@acme.example')).cookie).toMatch(/^parley=/);
  });
});

describe('passwords sent at the same moment', () => {
  test('reach the check five times at most', async () => {
    let checked = 0;
    const attempt = async () => {
      checked += 1;
      return new Response('', { status: 401 });
    };
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () =>
        runtime.signIn.limitAttempts({ email: 'many@acme.example', browser: null }, attempt),
      ),
    );
    expect(checked).toBe(5);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(15);
  });

  test('are answered like wrong ones one after the other', async () => {
    const email = 'finn@acme.example';
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, guess) =>
        app.inject({
          method: 'POST',
          url: '/dashboard/auth/sign-in/email',
          headers: sameOrigin,
          remoteAddress: `10.9.0.${guess}`,
          payload: { email, password: `wrong-teapot-${guess}` },
        }),
      ),
    );
    const statuses = answers.map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(15);
    advance(31_000);
    expect((await signIn(app, email)).cookie).toMatch(/^parley=/);
  });
});

describe('an invitation', () => {
  test('makes its address a member with the role, once', async () => {
    const invited = await operate('POST', `/workspaces/${workspace.id}/invitations`, {
      email: 'gus@acme.example',
      role: 'viewer',
    });
    expect(invited.statusCode).toBe(201);
    const [base, token = ''] = invited.json().link.split('#');
    expect(base).toMatch(/\/dashboard\/invite$/);
    expect((await post('/dashboard/invitations/look', { token })).json()).toEqual({
      email: 'gus@acme.example',
      role: 'viewer',
      inviter: 'operator',
      workspaces: ['Acme'],
      has_account: false,
      provider: null,
    });
    const entry = { token, name: 'Gus', password: testPassword };
    expect((await post('/dashboard/invitations/accept', entry)).statusCode).toBe(201);
    expect((await post('/dashboard/invitations/accept', entry)).json().code).toBe('link_expired');
    const { members } = (await operate('GET', `/workspaces/${workspace.id}/members`)).json();
    expect(members).toContainEqual(expect.objectContaining({ email: 'gus@acme.example', role: 'viewer' }));
  });

  test('of another address is not accepted by the person who is signed in', async () => {
    const invited = await operate('POST', `/workspaces/${workspace.id}/invitations`, {
      email: 'hal@acme.example',
      role: 'owner',
    });
    const [, token = ''] = invited.json().link.split('#');
    const gus = await signIn(app, 'gus@acme.example');
    expect((await gus.call('POST', '/dashboard/invitations/accept', { token })).json().code).toBe(
      'link_expired',
    );
    expect((await post('/dashboard/invitations/look', { token })).statusCode).toBe(200);
  });

  test('stops working when it is revoked', async () => {
    const path = `/workspaces/${workspace.id}/invitations`;
    const invited = (await operate('POST', path, { email: 'ida@acme.example', role: 'agent' })).json();
    expect((await operate('DELETE', `${path}/${invited.id}`)).statusCode).toBe(204);
    const [, token = ''] = invited.link.split('#');
    expect((await post('/dashboard/invitations/look', { token })).statusCode).toBe(410);
  });
});

describe('members', () => {
  test('cannot be left without an owner of all workspaces', async () => {
    const lonely = await server.makeWorkspace();
    const person = await signInPerson(server, {
      email: 'jan@acme.example',
      role: 'owner',
      ownerId: lonely.owner,
    });
    const { members } = (await person.call('GET', `/admin/v1/workspaces/${lonely.id}/members`)).json();
    const path = `/admin/v1/workspaces/${lonely.id}/members/${members[0].id}`;
    expect((await person.call('DELETE', path)).json().code).toBe('last_owner');
    expect((await person.call('PATCH', path, { role: 'agent' })).json().code).toBe('last_owner');
  });

  test('are signed out at once when they are removed', async () => {
    const person = await signInPerson(server, {
      email: 'kim@acme.example',
      role: 'agent',
      ownerId: workspace.owner,
    });
    const { members } = (await operate('GET', `/workspaces/${workspace.id}/members`)).json();
    const { id } = members.find(({ email }: { email: string }) => email === 'kim@acme.example');
    expect((await operate('DELETE', `/workspaces/${workspace.id}/members/${id}`)).statusCode).toBe(204);
    expect((await person.call('GET', '/admin/v1/me')).statusCode).toBe(401);
  });

  test('get a link for a new password, which removes their second factor', async () => {
    await signInPerson(server, { email: 'leo@acme.example', role: 'agent', ownerId: workspace.owner });
    const { members } = (await operate('GET', `/workspaces/${workspace.id}/members`)).json();
    const { id } = members.find(({ email }: { email: string }) => email === 'leo@acme.example');
    const made = await operate('POST', `/workspaces/${workspace.id}/members/${id}/recovery-link`);
    const [, token = ''] = made.json().link.split('#');
    const recovered = await post('/dashboard/recover', { token, password: 'a-newer-teapot-44' });
    expect(recovered.statusCode).toBe(201);
    const cookie = cookiesOf(recovered.headers['set-cookie']);
    expect((await app.inject({ url: '/admin/v1/me', headers: { cookie } })).statusCode).toBe(200);
  });
});
