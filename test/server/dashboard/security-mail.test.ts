import PostalMime from 'postal-mime';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { startSmtp } from '../../helpers/platforms/email/start-smtp.ts';
import { timeCode } from '../../helpers/servers/browser/time-code.ts';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';
import {
  cookiesOf,
  sameOrigin,
  signedInBy,
  signInPerson,
  testPassword,
} from '../../helpers/servers/sign-in-person.ts';

let refusal: Error | null = null;
const smtp = await startSmtp({
  onRcptTo: (_address, _session, done) => (refusal === null ? done() : done(refusal)),
});
const server = await openTestServer({
  runtime: {
    environment: {
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}?ignoreTLS=true`,
      MAIL_FROM: 'Parley <parley@acme.example>',
      PUBLIC_URL: 'http://parley.example',
    },
  },
});
const { app, runtime, operate } = server;
const { owner: ownerId } = await server.makeWorkspace({ name: 'Acme' });

beforeEach(() => {
  refusal = null;
  smtp.taken.length = 0;
});

const arrive = (name: string) =>
  signInPerson(server, { email: `${name}@acme.example`, role: 'owner', ownerId });
const signIn = (email: string, headers: Readonly<Record<string, string>> = {}) =>
  app.inject({
    method: 'POST',
    url: '/dashboard/auth/sign-in/email',
    headers: { ...sameOrigin, ...headers },
    payload: { email, password: testPassword },
  });
/** The next mail. */
async function nextMail() {
  await vi.waitFor(() => expect(smtp.taken).not.toHaveLength(0));
  const taken = smtp.taken.shift();
  const { subject, text = '', html = '' } = await PostalMime.parse(taken?.raw ?? '');
  return { to: taken?.to, subject, text, html };
}

describe('a person is told by mail', () => {
  test('of a sign-in from a browser that is new to the account, and of none from a known one', async () => {
    await arrive('ann');
    const headers = { 'user-agent': 'https://evil.example Firefox/140.0', host: 'parley.example' };
    const answer = await signIn('ann@acme.example', headers);
    const { to, subject, text, html } = await nextMail();
    expect(to).toEqual(['ann@acme.example']);
    expect(subject).toBe('Sign-in from a new browser');
    expect(text).toContain('Firefox, from the address 127.0.0.1.');
    expect(text).toContain('http://parley.example/dashboard/me');
    expect(text + html).not.toContain('evil');
    const known = cookiesOf(answer.headers['set-cookie']);
    expect((await signIn('ann@acme.example', { cookie: known })).statusCode).toBe(200);
    await signIn('ann@acme.example');
    expect((await nextMail()).subject).toBe('Sign-in from a new browser');
    expect(smtp.taken).toEqual([]);
  });

  test('of a new password in their language, without the password', async () => {
    const ben = await arrive('ben');
    await ben.call('PATCH', '/admin/v1/me', { language: 'de' });
    const change = { currentPassword: testPassword, newPassword: 'another-teapot-43' };
    expect((await ben.call('POST', '/dashboard/auth/change-password', change)).statusCode).toBe(200);
    const { subject, text, html } = await nextMail();
    expect(subject).toBe('Ihr Passwort wurde geändert');
    expect(text + html).not.toContain('teapot');
  });

  test('of a second factor that was switched off, or removed by a link for a new password', async () => {
    const cleo = await arrive('cleo');
    const password = { password: testPassword };
    const turnOn = async () => {
      const begun = (await cleo.call('POST', '/dashboard/auth/two-factor/enable', password)).json();
      const code = timeCode(new URL(begun.totpURI).searchParams.get('secret') ?? '');
      const confirmed = await cleo.call('POST', '/dashboard/auth/two-factor/verify-totp', { code });
      return signedInBy(app, cookiesOf(confirmed.headers['set-cookie']));
    };
    const strong = await turnOn();
    const off = await strong.call('POST', '/dashboard/auth/two-factor/disable', password);
    expect(off.statusCode).toBe(200);
    expect((await nextMail()).subject).toBe('Your second factor was switched off');

    const people = runtime.database.kysely.updateTable('person').where('email', '=', 'cleo@acme.example');
    await people.set({ two_factor_enabled: true }).execute();
    const person = await runtime.members.findByEmail('cleo@acme.example');
    const made = (await operate('POST', `/persons/${person?.id}/recovery-link`)).json();
    const recovered = await app.inject({
      method: 'POST',
      url: '/dashboard/recover',
      headers: sameOrigin,
      payload: { token: made.link.split('#')[1], password: 'a-newer-teapot-44' },
    });
    expect(recovered.statusCode).toBe(201);
    expect((await nextMail()).subject).toBe('Your password was replaced and your second factor removed');
  });

  test('without waiting for the mail server, whose refusal stops nothing', async () => {
    await arrive('dora');
    refusal = Object.assign(new Error('No such user'), { responseCode: 550 });
    const logged = vi.spyOn(runtime.log, 'error');
    expect((await signIn('dora@acme.example')).statusCode).toBe(200);
    await vi.waitFor(() =>
      expect(logged).toHaveBeenCalledWith(
        expect.objectContaining({ news: 'new_browser' }),
        'mail about a sign-in not sent',
      ),
    );
  });
});
