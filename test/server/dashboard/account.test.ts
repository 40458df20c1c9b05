import { describe, expect, test } from 'vitest';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';
import {
  cookiesOf,
  sameOrigin,
  signIn,
  signInPerson,
  testPassword,
} from '../../helpers/servers/sign-in-person.ts';

const server = await openTestServer({ runtime: { environment: { PUBLIC_URL: 'http://parley.example' } } });
const { app, operate } = server;
const workspace = await server.makeWorkspace({ name: 'Acme' });
const { owner: ownerId } = workspace;
const audit = async (query = '') =>
  (await operate('GET', `/workspaces/${workspace.id}/audit-log?limit=100${query}`)).json().audit_log;
const actionsOf = async (actor: string): Promise<string[]> =>
  (await audit(`&actor=${actor}`)).map((entry: { action: string }) => entry.action);

const signInAs = (email: string, password: string) =>
  app.inject({
    method: 'POST',
    url: '/dashboard/auth/sign-in/email',
    headers: sameOrigin,
    payload: { email, password },
  });

describe('sessions of a person', () => {
  test('are listed without tokens, and ended by id', async () => {
    const here = await signInPerson(server, { email: 'ann@acme.example', role: 'owner', ownerId });
    const there = await signIn(app, 'ann@acme.example');
    const listed = (await here.call('GET', '/admin/v1/me/sessions')).json().sessions;
    const current = listed.filter((session: { is_current: boolean }) => session.is_current);
    expect([listed.length, current.length]).toEqual([2, 1]);
    expect(Object.keys(listed[0])).not.toContain('token');
    const other = listed.find((session: { is_current: boolean }) => !session.is_current);
    expect((await here.call('DELETE', `/admin/v1/me/sessions/${other.id}`)).statusCode).toBe(204);
    expect((await there.call('GET', '/admin/v1/me')).json().code).toBe('invalid_session');
    expect((await here.call('GET', '/admin/v1/me')).statusCode).toBe(200);
  });

  test('are not ended by another person', async () => {
    const ann = await signIn(app, 'ann@acme.example');
    const bea = await signInPerson(server, { email: 'bea@acme.example', role: 'owner', ownerId });
    const [session] = (await ann.call('GET', '/admin/v1/me/sessions')).json().sessions;
    expect((await bea.call('DELETE', `/admin/v1/me/sessions/${session.id}`)).json().code).toBe(
      'session_not_found',
    );
  });

  test('give their tokens to no script', async () => {
    const ann = await signIn(app, 'ann@acme.example');
    for (const path of ['get-session', 'list-sessions', 'list-accounts']) {
      expect((await ann.call('GET', `/dashboard/auth/${path}`)).statusCode).toBe(404);
    }
    for (const path of ['revoke-session', 'revoke-sessions', 'revoke-other-sessions']) {
      expect((await ann.call('POST', `/dashboard/auth/${path}`, {})).statusCode).toBe(404);
    }
    const answer = await signInAs('ann@acme.example', testPassword);
    expect([answer.statusCode, answer.body.includes('token')]).toEqual([200, false]);
  });
});

describe('the audit log of an owner', () => {
  test('tells of sign-ins, of changes to them, and of the first of several failures', async () => {
    const cid = await signInPerson(server, { email: 'cid@acme.example', role: 'agent', ownerId });
    for (const password of ['wrong-teapot-98', 'wrong-teapot-99']) {
      expect((await signInAs('cid@acme.example', password)).statusCode).toBe(401);
    }
    const change = { currentPassword: testPassword, newPassword: 'another-teapot-43' };
    const changed = await cid.call('POST', '/dashboard/auth/change-password', change);
    expect([changed.statusCode, changed.body.includes('token')]).toEqual([200, false]);
    expect(cookiesOf(changed.headers['set-cookie'])).toMatch(/^parley=/);
    expect(await actionsOf('cid')).toEqual([
      'password_changed',
      'sign_in_failed',
      'signed_in',
      'member_joined',
    ]);
    expect((await audit('&action=signed_in&actor=cid'))[0].details).toMatchObject({ by: 'password' });
  });

  test('is not shown to another owner', async () => {
    const other = await server.makeWorkspace();
    const { audit_log } = (await operate('GET', `/workspaces/${other.id}/audit-log`)).json();
    expect(audit_log.map(({ action }: { action: string }) => action)).toEqual(['key_created']);
  });
});

describe('a link for a new password', () => {
  test('of a person who also works for others is made with the operator’s token only', async () => {
    const ann = await signIn(app, 'ann@acme.example');
    await signInPerson(server, { email: 'op@acme.example', role: 'operator', ownerId });
    const { members } = (await operate('GET', `/workspaces/${workspace.id}/members`)).json();
    const idOf = (email: string) => members.find((member: { email: string }) => member.email === email).id;
    const path = (email: string) =>
      `/admin/v1/workspaces/${workspace.id}/members/${idOf(email)}/recovery-link`;
    expect((await ann.call('POST', path('op@acme.example'))).json().code).toBe('permission_denied');
    expect((await ann.call('POST', path('bea@acme.example'))).statusCode).toBe(201);
    const made = await operate('POST', path('op@acme.example').replace('/admin/v1', ''));
    expect(made.statusCode).toBe(201);
  });
});

describe('people of the installation', () => {
  test('are listed and removed by operators, but not the last owner', async () => {
    const lonely = await server.makeWorkspace();
    await signInPerson(server, { email: 'dan@x.example', role: 'owner', ownerId: lonely.owner });
    const { persons } = (await operate('GET', '/persons')).json();
    const dan = persons.find((person: { email: string }) => person.email === 'dan@x.example');
    expect(dan.memberships).toEqual([{ owner: lonely.owner, role: 'owner', workspaces: null }]);
    expect((await operate('DELETE', `/persons/${dan.id}`)).json().code).toBe('last_owner');
    await signInPerson(server, { email: 'eli@x.example', role: 'owner', ownerId: lonely.owner });
    expect((await operate('DELETE', `/persons/${dan.id}`)).statusCode).toBe(204);
    expect((await signInAs('dan@x.example', testPassword)).statusCode).toBe(401);
    const [entry] = (await operate('GET', `/workspaces/${lonely.id}/audit-log`)).json().audit_log;
    expect(entry).toMatchObject({ action: 'person_removed', actor: 'operator' });
  });

  test('get no first link once somebody can sign in, and a recovery link of their own', async () => {
    expect((await operate('POST', '/begin-link')).json().code).toBe('already_begun');
    const { persons } = (await operate('GET', '/persons')).json();
    const made = await operate('POST', `/persons/${persons[0].id}/recovery-link`);
    expect(made.json().link).toMatch(/\/dashboard\/recover#[\w-]+$/);
  });
});
