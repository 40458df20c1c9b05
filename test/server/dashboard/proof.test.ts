import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import type { LightMyRequestResponse } from 'fastify';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { permissionSchema } from '../../../core/members/authority.ts';
import { findLibraryCall } from '../../../server/dashboard/library-calls.ts';
import { timeCode } from '../../helpers/servers/browser/time-code.ts';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';
import {
  cookiesOf,
  type SignedIn,
  sameOrigin,
  signedInBy,
  signIn,
  signInPerson,
  testPassword,
} from '../../helpers/servers/sign-in-person.ts';

let now = new Date();
const advance = (minutes: number) => {
  now = new Date(now.getTime() + minutes * 60_000);
};
const server = await openTestServer({ runtime: { clock: { now: () => now } } });
const { app, runtime, operate } = server;
const address = await app.listen({ host: '127.0.0.1', port: 0 });
const database = runtime.database.kysely;
const workspace = await server.makeWorkspace({ name: 'Acme' });
const { owner: ownerId } = workspace;
const path = `/admin/v1/workspaces/${workspace.id}`;
// The sign-in library limits calls by address and time, and all here come from one.
const forgetRates = async () => {
  await sql`delete from sign_in_rate`.execute(database);
};
beforeEach(forgetRates);

let people = 0;
async function arrive(role: 'owner' | 'operator' = 'owner') {
  people += 1;
  const email = `person${people}@acme.example`;
  return { email, ...(await signInPerson(server, { email, role, ownerId })) };
}
const codeOf = (answer: LightMyRequestResponse): string => answer.json().code;
const makeKey = (person: SignedIn) => person.call('POST', `${path}/keys`, { name: 'Till' });
const prove = (person: SignedIn, proof: object) => person.call('POST', '/dashboard/prove', proof);
const auth = (person: SignedIn, call: string, body: object) =>
  person.call('POST', `/dashboard/auth/${call}`, body);

/** Sets up a second factor and returns its key and backup codes. */
async function addSecondFactor(person: SignedIn) {
  const { totpURI, backupCodes } = (
    await auth(person, 'two-factor/enable', { password: testPassword })
  ).json();
  const key = new URL(totpURI).searchParams.get('secret') ?? '';
  const confirmed = await auth(person, 'two-factor/verify-totp', { code: timeCode(key) });
  expect(confirmed.statusCode).toBe(200);
  const signedIn = signedInBy(app, cookiesOf(confirmed.headers['set-cookie']));
  return { key, backupCodes, signedIn };
}

const routes = z
  .object({
    paths: z.record(
      z.string(),
      z.record(
        z.string(),
        z.object({
          operationId: z.string().optional(),
          'x-permission': permissionSchema.optional(),
          'x-proof': z.string().optional(),
        }),
      ),
    ),
  })
  .parse((await app.inject('/openapi.json')).json());
const writes = Object.values(routes.paths)
  .flatMap((methods) => Object.entries(methods))
  .filter(([method]) => method !== 'get')
  .map(([, operation]) => operation);

/** Operations of the permissions below that can be undone, or open nothing. */
const undoable: readonly string[] = [
  'revokeInvitation',
  // It proves the domain, and what it opens is set by `updateSignIn`.
  'checkSignInDomain',
  'testSignIn',
  'createWorkspace',
  'resealSecrets',
  // A key that is tried or removed opens nothing, and a copy stays on the disk of the server.
  ...['tryModelKey', 'removeModelKey', 'copyDatabase'],
  'updateKey',
  'revokeKey',
  'restoreKey',
  ...['createWebhook', 'updateWebhook', 'deleteWebhook', 'restoreWebhook', 'testWebhook', 'replayDelivery'],
  ...['createSkill', 'updateSkill', 'deleteSkill', 'restoreSkill', 'testSkill'],
];

describe('routes that cannot be undone', () => {
  test('ask for a fresh proof, and new ones of these permissions say whether they do', () => {
    const strict = ['people:write', 'installation:write', 'customers:write', 'developers:write'];
    const silent = writes.filter(
      ({ operationId = '', 'x-permission': permission = '', 'x-proof': proof }) =>
        strict.includes(permission) && proof !== 'fresh' && !undoable.includes(operationId),
    );
    expect(silent.map(({ operationId }) => operationId)).toEqual([]);
  });

  test('are these', () => {
    const fresh = writes.filter((operation) => operation['x-proof'] === 'fresh');
    expect(fresh.map(({ operationId }) => operationId).sort()).toEqual(
      [
        ...['createRecoveryLink', 'createPersonLink', 'createBeginLink'],
        ...['createInvitation', 'mailInvitation', 'updateMember', 'removeMember', 'removePerson'],
        ...['createKey', 'rotateKey', 'rotateEncryptionKey', 'rotateIdentitySecret', 'rotatePublicToken'],
        ...['rotateWebhookSecret', 'rotateSkillSecret', 'saveSignIn', 'removeSignIn'],
        ...['erasePerson', 'deleteWorkspace', 'saveModelKey'],
      ].sort(),
    );
  });

  test('refuse a session ten minutes after its sign-in, until the password is given again', async () => {
    const person = await arrive();
    expect((await makeKey(person)).statusCode).toBe(201);
    advance(11);
    const refused = await makeKey(person);
    expect([refused.statusCode, codeOf(refused)]).toEqual([403, 'proof_required']);
    expect((await person.call('GET', '/dashboard/prove')).json()).toEqual({
      ways: ['password'],
      provider: null,
    });
    expect(codeOf(await prove(person, { password: 'wrong-teapot-99' }))).toBe('INVALID_PASSWORD');
    expect((await makeKey(person)).statusCode).toBe(403);
    expect((await prove(person, { password: testPassword })).json()).toEqual({
      proven_at: now.toISOString(),
    });
    expect((await makeKey(person)).statusCode).toBe(201);
    const { audit_log } = (await operate('GET', `/workspaces/${workspace.id}/audit-log`)).json();
    expect(audit_log[1]).toMatchObject({ action: 'identity_proven', details: { by: 'password' } });
  });

  test('tell people without the right so, and not to prove anything', async () => {
    people += 1;
    const viewer = { email: `viewer${people}@acme.example`, role: 'viewer', ownerId } as const;
    const person = await signInPerson(server, viewer);
    advance(11);
    expect(codeOf(await makeKey(person))).toBe('permission_denied');
  });

  test('take the operator’s token as it is, and let nobody make a link for themselves', async () => {
    expect((await operate('POST', `/workspaces/${workspace.id}/keys`, { name: 'Till' })).statusCode).toBe(
      201,
    );
    const operator = await arrive('operator');
    const { id } = (await operator.call('GET', '/admin/v1/me')).json().person;
    const own = await operator.call('POST', `/admin/v1/persons/${id}/recovery-link`);
    expect(codeOf(own)).toBe('permission_denied');
  });
});

describe('a session of a provider', () => {
  test('can prove nothing, and is told why', async () => {
    const { email } = await arrive();
    const person = await runtime.members.findByEmail(email);
    const headers = new Headers({ host: sameOrigin.host, 'x-client-address': '127.0.0.1' });
    const started = { personId: person?.id ?? '', ownerId };
    const cookie = cookiesOf([...(await runtime.signIn.startProviderSession(headers, started))]);
    const { call } = signedInBy(app, cookie);
    const refused = await call('POST', `${path}/keys`, { name: 'Till' });
    expect(refused.json()).toMatchObject({
      code: 'proof_required',
      detail: expect.stringContaining('signed in through your company'),
    });
    expect((await call('GET', '/dashboard/prove')).json()).toMatchObject({ ways: [] });
    expect(codeOf(await call('POST', '/dashboard/prove', { password: testPassword }))).toBe('proof_required');
  });
});

describe('proofs', () => {
  test('are refused after five wrong ones, also if they come together', async () => {
    const person = await arrive();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, guess) => prove(person, { password: `wrong-teapot-${guess}` })),
    );
    const statuses = answers.map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(7);
    expect((await prove(person, { password: testPassword })).statusCode).toBe(429);
    advance(1);
    expect((await prove(person, { password: testPassword })).statusCode).toBe(200);
  });

  test('of a person with a second factor are its codes, and each code works once', async () => {
    const person = await arrive();
    const { key, backupCodes, signedIn } = await addSecondFactor(person);
    advance(11);
    expect(codeOf(await prove(signedIn, { password: testPassword }))).toBe('proof_required');
    const code = timeCode(key);
    const answers = await Promise.all([prove(signedIn, { code }), prove(signedIn, { code })]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 401]);
    expect((await makeKey(signedIn)).statusCode).toBe(201);
    advance(11);
    expect(codeOf(await prove(signedIn, { code }))).toBe('INVALID_CODE');
    expect((await prove(signedIn, { code: backupCodes[0] })).statusCode).toBe(200);
    expect((await prove(signedIn, { code: backupCodes[0] })).statusCode).toBe(401);
  });
});

describe('an old session alone', () => {
  test('adds and removes no passkey, and no second factor without the password', async () => {
    const person = await arrive();
    advance(11);
    const options = await person.call('GET', '/dashboard/auth/passkey/generate-register-options');
    const answers = [
      options,
      await auth(person, 'passkey/verify-registration', { response: {} }),
      await auth(person, 'passkey/delete-passkey', { id: 'x' }),
    ];
    expect(answers.map(codeOf)).toEqual(['proof_required', 'proof_required', 'proof_required']);
    const wrong = { password: 'wrong-teapot-99' };
    expect(codeOf(await auth(person, 'two-factor/enable', wrong))).toBe('INVALID_PASSWORD');
    expect((await auth(person, 'two-factor/enable', { password: testPassword })).statusCode).toBe(200);
  });

  test('switches off no second factor and changes no password of a person who has one', async () => {
    const { signedIn } = await addSecondFactor(await arrive());
    advance(11);
    const change = { currentPassword: testPassword, newPassword: 'another-teapot-43' };
    expect(codeOf(await auth(signedIn, 'change-password', change))).toBe('proof_required');
    const off = await auth(signedIn, 'two-factor/disable', { password: testPassword });
    expect(codeOf(off)).toBe('proof_required');
  });

  test('guesses the old password five times at most', async () => {
    const person = await arrive();
    const statuses: number[] = [];
    for (let guess = 0; guess < 7; guess += 1) {
      const change = { currentPassword: `wrong-teapot-${guess}`, newPassword: 'another-teapot-43' };
      await forgetRates();
      statuses.push((await auth(person, 'change-password', change)).statusCode);
    }
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429, 429]);
  });
});

describe('a code of the second factor', () => {
  test('signs in once, also by two requests at the same moment, and leaves no session of the other', async () => {
    const { email, ...person } = await arrive();
    const { key } = await addSecondFactor(person);
    const half = async () => {
      const headers = sameOrigin;
      const payload = { email, password: testPassword };
      const answer = await app.inject({
        method: 'POST',
        url: '/dashboard/auth/sign-in/email',
        headers,
        payload,
      });
      return cookiesOf(answer.headers['set-cookie']);
    };
    const code = timeCode(key);
    const verify = (cookie: string) =>
      app.inject({
        method: 'POST',
        url: '/dashboard/auth/two-factor/verify-totp',
        headers: { ...sameOrigin, cookie },
        payload: { code, trustDevice: true },
      });
    const count = async () =>
      (await database.selectFrom('person_session').selectAll().where('person_id', '=', id).execute()).length;
    const { id = '' } = (await runtime.members.findByEmail(email)) ?? {};
    const before = await count();
    const answers = await Promise.all([verify(await half()), verify(await half())]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 401]);
    expect(await count()).toBe(before + 1);
    const taken = answers.find(({ statusCode }) => statusCode === 200);
    // A browser that is trusted would need no code for a month.
    expect(String(taken?.headers['set-cookie'])).not.toContain('trust');
    expect((await verify(await half())).json()).toMatchObject({ code: 'INVALID_CODE' });
  });
});

describe('calls of the sign-in library', () => {
  /** Sends the address as it is written, which clients tidy up. */
  const raw = async (path: string) => {
    const call = request({
      host: '127.0.0.1',
      port: new URL(address).port,
      method: 'POST',
      path,
      headers: sameOrigin,
    });
    call.end();
    const [{ statusCode }] = await once(call, 'response');
    return statusCode;
  };

  test.each([
    '/dashboard/auth/./sign-in/email',
    '/dashboard/auth/sign-in/../sign-in/email',
    '/dashboard/auth/%73ign-in/email',
    '/dashboard/auth/%2e/sign-in/email',
    '/dashboard/auth/sign-in/email/',
    '/dashboard/auth//sign-in/email',
    '/dashboard/auth/Sign-In/email',
    '/dashboard/auth/sign-in/email#',
    '/dashboard/auth/sign-in/email;x',
    '/dashboard/auth/verify-password',
    '/dashboard/auth/two-factor/generate-backup-codes',
  ])('exist at no other address: %s', async (url) => {
    expect(() => findLibraryCall({ method: 'POST', url })).toThrow(
      expect.objectContaining({ code: 'route_not_found' }),
    );
    expect(await raw(url)).toBe(404);
  });
});

describe('a browser that is known to an account', () => {
  const attempt = (email: string, password: string, cookie = '') => {
    people += 1;
    return app.inject({
      method: 'POST',
      url: '/dashboard/auth/sign-in/email',
      remoteAddress: `10.2.${people >> 8}.${people & 255}`,
      headers: { ...sameOrigin, cookie },
      payload: { email, password },
    });
  };

  test('is not locked by strangers, whose own wait goes on', async () => {
    const { email, cookie } = await arrive();
    for (let guess = 0; guess < 6; guess += 1) await attempt(email, `wrong-teapot-${guess}`);
    expect((await attempt(email, testPassword)).statusCode).toBe(429);
    const known = cookie.split('; ').find((pair) => pair.startsWith('parley-known-')) ?? '';
    expect((await attempt(email, testPassword, known)).statusCode).toBe(200);
    expect((await attempt(email, testPassword)).statusCode).toBe(429);
  });

  test('waits for its own wrong passwords, and is known to no other account', async () => {
    const [one, other] = [await arrive(), await arrive()];
    const known = one.cookie.split('; ').find((pair) => pair.startsWith('parley-known-')) ?? '';
    for (let guess = 0; guess < 5; guess += 1) await attempt(one.email, `wrong-teapot-${guess}`, known);
    expect((await attempt(one.email, testPassword, known)).statusCode).toBe(429);
    expect((await attempt(one.email, testPassword)).statusCode).toBe(200);
    const forged = known.replace(/known-\w+/, (other.cookie.match(/known-\w+/) ?? [''])[0]);
    for (let guess = 0; guess < 6; guess += 1) await attempt(other.email, `wrong-teapot-${guess}`);
    expect((await attempt(other.email, testPassword, forged)).statusCode).toBe(429);
  });

  test('has a cookie that scripts cannot read and other sites do not send', async () => {
    const { email } = await arrive();
    const answer = await attempt(email, testPassword);
    expect(answer.headers['set-cookie']).toContainEqual(
      expect.stringMatching(
        /^parley-known-[0-9a-f]{16}=[\w.-]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/,
      ),
    );
  });
});

describe('a link for a new password', () => {
  const linkFor = async (email: string) => {
    const person = await runtime.members.findByEmail(email);
    const made = await operate('POST', `/persons/${person?.id}/recovery-link`);
    return made.json().link.split('#')[1];
  };
  const recover = (token: string) => {
    const payload = { token, password: `kettle-${randomBytes(6).toString('hex')}` };
    return app.inject({ method: 'POST', url: '/dashboard/recover', headers: sameOrigin, payload });
  };

  test('ends with a newer one', async () => {
    const { email } = await arrive();
    const [older, newer] = [await linkFor(email), await linkFor(email)];
    expect((await recover(older)).statusCode).toBe(410);
    expect((await recover(newer)).statusCode).toBe(201);
  });

  test('ends with a new password, and with an invitation that the person accepts', async () => {
    const { email, ...person } = await arrive();
    const first = await linkFor(email);
    const change = { currentPassword: testPassword, newPassword: 'another-teapot-43' };
    expect((await auth(person, 'change-password', change)).statusCode).toBe(200);
    expect((await recover(first)).statusCode).toBe(410);

    const other = await arrive();
    const elsewhere = await server.makeWorkspace();
    const second = await linkFor(other.email);
    const invitation = { email: other.email, role: 'viewer' };
    const { link } = (await operate('POST', `/workspaces/${elsewhere.id}/invitations`, invitation)).json();
    const accepted = await other.call('POST', '/dashboard/invitations/accept', { token: link.split('#')[1] });
    expect(accepted.statusCode).toBe(201);
    expect((await recover(second)).statusCode).toBe(410);
  });

  test('is one of those that were made at the same moment', async () => {
    const { email } = await arrive();
    const tokens = await Promise.all([linkFor(email), linkFor(email), linkFor(email)]);
    const statuses = [];
    for (const token of tokens) statuses.push((await recover(token)).statusCode);
    expect(statuses.sort()).toEqual([201, 410, 410]);
  });
});

test('a session of before the upgrade, without a known proof, signs in to everything else', async () => {
  const person = await arrive();
  const { id = '' } = (await runtime.members.findByEmail(person.email)) ?? {};
  await database.updateTable('person_session').set({ proven_at: null }).where('person_id', '=', id).execute();
  expect((await person.call('GET', '/admin/v1/me')).statusCode).toBe(200);
  expect(codeOf(await makeKey(person))).toBe('proof_required');
  expect((await makeKey(await signIn(app, person.email))).statusCode).toBe(201);
});
