import PostalMime from 'postal-mime';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { connectors } from '../../../connectors/registry.ts';
import { createLog } from '../../../core/base/log.ts';
import { openMailer } from '../../../core/channels/mailer.ts';
import { start as startWorkers } from '../../../workers/main.ts';
import { mailsIn } from '../../helpers/platforms/email/mailbox-reader.ts';
import { openMailServers } from '../../helpers/platforms/email/open-mail-servers.ts';
import { smtpRefusal, startCuttingSmtp, startSmtp } from '../../helpers/platforms/email/start-smtp.ts';
import { openEmailServer } from '../../helpers/servers/channels/open-email-server.ts';
import { testConfig } from '../../helpers/servers/open-test-runtime.ts';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';
import { cookiesOf, sameOrigin, signInPerson, testPassword } from '../../helpers/servers/sign-in-person.ts';
import { stageInbox } from '../../helpers/stores/inbox/stage-inbox.ts';

let refusal: Error | null = null;
const smtp = await startSmtp({
  onRcptTo: (_address, _session, done) => (refusal === null ? done() : done(refusal)),
});
let now = new Date();
const server = await openTestServer({
  runtime: {
    connectors,
    clock: { now: () => now },
    environment: {
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}?ignoreTLS=true`,
      MAIL_FROM: 'Parley <parley@acme.example>',
      PUBLIC_URL: 'http://parley.example',
    },
  },
});
const { app, operate, runtime } = server;
const workspace = await server.makeWorkspace({ name: 'Acme' });
const { owner: ownerId } = workspace;
const invitations = `/workspaces/${workspace.id}/invitations`;
const ann = await signInPerson(server, { email: 'ann@acme.example', role: 'owner', ownerId });

beforeEach(() => {
  refusal = null;
  smtp.taken.length = 0;
});

const read = async (position = 0) => {
  const raw = smtp.taken[position]?.raw ?? '';
  const { subject, text = '', html = '', from } = await PostalMime.parse(raw);
  return { subject, text, html, from };
};
const linkIn = (text: string) => /http:\/\/parley\.example\/dashboard\/\w+#[\w-]+/.exec(text)?.[0];
const post = (url: string, payload: object, remoteAddress = '127.0.0.1') =>
  app.inject({ method: 'POST', url, payload, remoteAddress, headers: sameOrigin });

describe('an invitation', () => {
  test('is mailed as text and HTML, with the link that is also returned', async () => {
    const invited = (await operate('POST', invitations, { email: 'ben@acme.example', role: 'agent' })).json();
    expect(invited).toMatchObject({ mail_fault: null, mailed_at: expect.any(String) });
    const { subject, text, html, from } = await read();
    expect(smtp.taken[0]?.to).toEqual(['ben@acme.example']);
    expect(from).toMatchObject({ name: 'Parley', address: 'parley@acme.example' });
    expect(subject).toBe('Parley invites you to Acme');
    expect(linkIn(text)).toBe(invited.link);
    expect(html).toContain(`<a href="${invited.link}"`);
    const [, token] = invited.link.split('#');
    const entry = { token, name: 'Ben', password: testPassword };
    expect((await post('/dashboard/invitations/accept', entry)).statusCode).toBe(201);
  });

  test('is written in the language of the inviter, whose name is no markup', async () => {
    await ann.call('PATCH', '/admin/v1/me', { name: '<b>Ann</b> & Co', language: 'de' });
    await ann.call('POST', `/admin/v1${invitations}`, { email: 'cem@acme.example', role: 'viewer' });
    const { subject, html } = await read();
    expect(subject).toBe('<b>Ann</b> & Co lädt Sie zu Acme ein');
    expect(html).toContain('&lt;b&gt;Ann&lt;/b&gt; &amp; Co');
    expect(html).not.toContain('<b>');
  });

  test('has one subject and one recipient, whatever an older name holds', async () => {
    const { database } = runtime;
    const rename = (name: string) =>
      database.kysely.updateTable('workspace').set({ name }).where('id', '=', workspace.id).execute();
    await rename('Acme\r\nBcc: eve@evil.example');
    await operate('POST', invitations, { email: 'cyd@acme.example', role: 'viewer' });
    await rename('Acme');
    expect((await read()).subject).toBe('Parley invites you to Acme Bcc: eve@evil.example');
    expect(smtp.taken[0]?.to).toEqual(['cyd@acme.example']);
  });

  test('stays where the mail server refuses it, with the words of the server', async () => {
    refusal = smtpRefusal(550, 'We do not know dan');
    const invited = (await operate('POST', invitations, { email: 'dan@acme.example', role: 'agent' })).json();
    expect(invited.mail_fault).toContain('550 We do not know dan');
    const { invitations: open } = (await operate('GET', invitations)).json();
    expect(open).toContainEqual(
      expect.objectContaining({ email: 'dan@acme.example', mail_fault: invited.mail_fault }),
    );
    const [, token] = invited.link.split('#');
    expect((await post('/dashboard/invitations/look', { token })).statusCode).toBe(200);
    refusal = null;
    const again = await operate('POST', `${invitations}/${invited.id}/mail`);
    expect(again.json()).toMatchObject({ id: invited.id, mail_fault: null });
    expect(linkIn((await read()).text)).toBe(again.json().link);
    expect((await post('/dashboard/invitations/look', { token })).json().code).toBe('link_expired');
  });

  test('is mailed five times at most, however many ask together', async () => {
    const invited = (await operate('POST', invitations, { email: 'eva@acme.example', role: 'agent' })).json();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => operate('POST', `${invitations}/${invited.id}/mail`)),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(4);
    expect(smtp.taken).toHaveLength(5);
    expect(answers.find(({ statusCode }) => statusCode === 429)?.json().code).toBe('rate_limit_day');
  });

  test('is a link to copy only, where the installation sends no mail', async () => {
    const silent = await openTestServer();
    const { id } = await silent.makeWorkspace();
    const path = `/workspaces/${id}/invitations`;
    const invited = (await silent.operate('POST', path, { email: 'fay@acme.example', role: 'agent' })).json();
    expect(invited).toMatchObject({ mailed_at: null, mail_fault: null, link: expect.any(String) });
    const mailed = await silent.operate('POST', `${path}/${invited.id}/mail`);
    expect(mailed.json().code).toBe('mail_not_set_up');
    expect((await silent.app.inject('/dashboard/auth-options')).json().sends_mail).toBe(false);
    const forgot = { method: 'POST', url: '/dashboard/forgot', headers: sameOrigin } as const;
    const asked = await silent.app.inject({ ...forgot, payload: { email: 'fay@acme.example' } });
    expect(asked.json().code).toBe('mail_not_set_up');
  });
});

describe('a forgotten password', () => {
  const forgot = (email: string, address?: string) => post('/dashboard/forgot', { email }, address);

  test('is replaced by a mailed link, which leaves the second factor', async () => {
    await signInPerson(server, { email: 'gus@acme.example', role: 'agent', ownerId });
    const people = runtime.database.kysely.updateTable('person').where('email', '=', 'gus@acme.example');
    await people.set({ two_factor_enabled: true }).execute();
    expect((await forgot('Gus@acme.example')).statusCode).toBe(202);
    await vi.waitFor(() => expect(smtp.taken).toHaveLength(1));
    const [, token] = linkIn((await read()).text)?.split('#') ?? [];
    const answer = await post('/dashboard/recover', { token, password: 'a-newer-teapot-44' });
    expect(answer.statusCode).toBe(201);
    // The password alone is no sign-in.
    const cookie = cookiesOf(answer.headers['set-cookie']);
    expect((await app.inject({ url: '/admin/v1/me', headers: { cookie } })).statusCode).toBe(401);
    const person = await runtime.members.findByEmail('gus@acme.example');
    expect(person?.twoFactorEnabled).toBe(true);
    await vi.waitFor(() => expect(smtp.taken).toHaveLength(2));
  });

  test('is answered alike for known and unknown people, before any mail is sent', async () => {
    const send = vi.spyOn(runtime.mailer ?? { send: async () => null }, 'send');
    let release = () => {};
    send.mockImplementation(
      () =>
        new Promise((resolve) => {
          release = () => resolve(null);
        }),
    );
    const [known, unknown] = [await forgot('ann@acme.example'), await forgot('xyz@acme.example')];
    expect([known.statusCode, Object.keys(known.json())]).toEqual([
      unknown.statusCode,
      Object.keys(unknown.json()),
    ]);
    await vi.waitFor(() => expect(send).toHaveBeenCalledTimes(1));
    release();
    send.mockRestore();
    expect(smtp.taken).toEqual([]);
  });

  test('can be asked for three times an hour by account, known or not, and ten times by network', async () => {
    now = new Date(now.getTime() + 3_600_000);
    for (const email of ['ann@acme.example', 'nobody@acme.example']) {
      const statuses = [];
      for (let tries = 0; tries < 4; tries += 1) statuses.push((await forgot(email, '10.4.0.1')).statusCode);
      expect(statuses).toEqual([202, 202, 202, 429]);
    }
    const codes = [];
    for (let tries = 0; tries < 4; tries += 1) {
      codes.push((await forgot(`p${tries}@acme.example`, '10.4.0.1')).statusCode);
    }
    expect(codes).toEqual([202, 202, 429, 429]);
    expect((await forgot('p9@acme.example', '10.4.0.2')).statusCode).toBe(202);
  });
});

describe('a digest', async () => {
  const minuteMs = 60_000;
  // Links for a new password of the tests before may still arrive.
  const mailsTo = (address: string) => smtp.taken.filter(({ to }) => to.includes(address));
  /** Lets the worker do one round after so many minutes, until `isDone`. */
  const keepHouse = async (minutes: number, isDone: () => void | Promise<void>) => {
    now = new Date(now.getTime() + minutes * minuteMs);
    const worker = await startWorkers(runtime, ['housekeeping']);
    await vi.waitFor(isDone, { timeout: 20_000 });
    await worker.stop();
  };
  const kay = await signInPerson(server, { email: 'kay@acme.example', role: 'agent', ownerId });
  const kayId = String((await kay.call('GET', '/admin/v1/me')).json().person.id);
  const mention = async (name: string) => {
    const staged = { database: runtime.database.kysely, workspaceId: workspace.id, now };
    const [id = ''] = await stageInbox(staged, [{ name, channel: 'telegram' }]);
    const note = { content: 'The PIN is 4711', mentions: [kayId] };
    const notes = `/admin/v1/workspaces/${workspace.id}/conversations/${id}/notes`;
    expect((await ann.call('POST', notes, note)).statusCode).toBe(201);
    return `http://parley.example/dashboard/w/${workspace.id}/inbox/${id}`;
  };

  test('is mailed by the worker as plain text, with links and without contents', async () => {
    await operate('PATCH', `/workspaces/${workspace.id}`, { name: 'Acme & Söhne' });
    await ann.call('PATCH', '/admin/v1/me', { name: 'Ann Reid', language: 'de' });
    const link = await mention('Kim\r\nBcc: eve@evil.example\r\n\r\nLee');
    await keepHouse(11, () => expect(mailsTo('kay@acme.example')).toHaveLength(1));
    const [mail] = mailsTo('kay@acme.example');
    const { subject, text = '', html = '' } = await PostalMime.parse(mail?.raw ?? '');
    expect(subject).toBe('1 conversation waits for you in Acme & Söhne');
    expect(text.trim().split('\n')).toEqual([
      '1 conversation waits for you in Acme & Söhne',
      '',
      'Ann Reid mentioned you in a note: Kim Bcc: eve@evil.example Lee (Telegram)',
      link,
      '',
      'Switch these mails off: http://parley.example/dashboard/me',
    ]);
    expect(html).toBe('');
    expect(mail?.raw).toContain('Auto-Submitted: auto-generated');
  });

  test('comes later if the mail server asks for that, and never if the person switched it off', async () => {
    await mention('Lee');
    refusal = smtpRefusal(451, 'Come back later');
    const faults = async () => {
      const row = runtime.database.kysely.selectFrom('mail_digest').select('faults');
      return (await row.where('person_id', '=', kayId).executeTakeFirst())?.faults;
    };
    await keepHouse(31, async () => expect(await faults()).toBe(1));
    refusal = null;
    await keepHouse(6, async () => expect(await faults()).toBe(0));
    expect(mailsTo('kay@acme.example')).toHaveLength(1);
    await kay.call('PATCH', '/admin/v1/me', { email_digest: false });
    await mention('Max');
    const other = await signInPerson(server, { email: 'lou@acme.example', role: 'agent', ownerId });
    const otherId = (await other.call('GET', '/admin/v1/me')).json().person.id;
    const [id = ''] = await stageInbox(
      { database: runtime.database.kysely, workspaceId: workspace.id, now },
      [{ name: 'Nia', channel: 'telegram', status: 'open' }],
    );
    const path = `/admin/v1/workspaces/${workspace.id}/conversations/${id}`;
    expect((await ann.call('PATCH', path, { assignee_id: otherId })).statusCode).toBe(200);
    await keepHouse(61, () => expect(mailsTo('lou@acme.example')).toHaveLength(1));
    const { text } = await PostalMime.parse(mailsTo('lou@acme.example')[0]?.raw ?? '');
    expect(text).toContain('Ann Reid assigned you a conversation: Nia (Telegram)');
    expect(mailsTo('kay@acme.example')).toHaveLength(1);
  });
});

describe('a fault of the mail server', () => {
  const mail = { to: 'ann@acme.example', subject: 'Hello', text: 'Hello' };
  const sendAt = async (port: number) => {
    const config = testConfig({
      SMTP_URL: `smtp://127.0.0.1:${port}?ignoreTLS=true`,
      PUBLIC_URL: 'http://parley.example',
      MAIL_FROM: 'parley@acme.example',
    });
    return (await openMailer(config, createLog('silent'))?.send(mail))?.isPassing;
  };

  test('passes if it asks for a later try or cannot be reached', async () => {
    refusal = smtpRefusal(451, 'Come back later');
    expect(await sendAt(smtp.port)).toBe(true);
    const closed = await startSmtp();
    await closed.close();
    expect(await sendAt(closed.port)).toBe(true);
  });

  test('is final if it refuses the mail, or may have taken it', async () => {
    refusal = smtpRefusal(550, 'We do not know ann');
    expect(await sendAt(smtp.port)).toBe(false);
    const cutting = await startCuttingSmtp();
    onTestFinished(() => cutting.close());
    expect(await sendAt(cutting.port)).toBe(false);
    expect(cutting.received()).toContain('Subject: Hello');
  });
});

const postfix = await openMailServers(['ida@lind.example', 'kim@lind.example', 'help@lind.example']);

describe.skipIf(postfix === null)('a real mail server', () => {
  test('takes invitations, and tells in its own words what it refuses', async () => {
    if (postfix === null) return;
    const hub = await openTestServer({
      runtime: {
        environment: {
          SMTP_URL: `smtp://127.0.0.1:${postfix.postfix.smtpPort}?ignoreTLS=true`,
          PUBLIC_URL: 'http://parley.example',
          MAIL_FROM: 'parley@acme.example',
        },
      },
    });
    const { id } = await hub.makeWorkspace({ name: 'Acme' });
    const invite = async (email: string) =>
      (await hub.operate('POST', `/workspaces/${id}/invitations`, { email, role: 'agent' })).json();
    const invited = await invite('ida@lind.example');
    expect(invited.mail_fault).toBeNull();
    const mails = () => mailsIn(postfix.dovecot.mailFolder, 'ida@lind.example');
    await vi.waitFor(async () => expect(await mails()).toHaveLength(1), { timeout: 20_000 });
    const [mail] = await mails();
    expect(mail?.header('auto-submitted')).toBe('auto-generated');
    expect((await invite('joe@elsewhere.example')).mail_fault).toMatch(/^554 .*Relay access denied/);
  });

  test('is that of the workspace’s e-mail channel, where the installation has none', async () => {
    if (postfix === null) return;
    const { dovecot } = postfix;
    const hub = await openEmailServer({
      address: 'help@lind.example',
      imapPort: dovecot.imapPort,
      smtpPort: postfix.postfix.smtpPort,
      password: dovecot.password,
    });
    expect(hub.channel).toMatchObject({ status: 'connected' });
    const path = `/workspaces/${hub.workspace.id}/invitations`;
    const invite = async (email: string) =>
      (await hub.operate('POST', path, { email, role: 'agent' })).json();
    const invited = await invite('kim@lind.example');
    expect(invited).toMatchObject({ mail_fault: null, mailed_at: expect.any(String) });
    await hub.eventually(async () => {
      const [mail] = await mailsIn(dovecot.mailFolder, 'kim@lind.example');
      expect(mail?.header('from')).toContain('help@lind.example');
      expect(mail?.header('auto-submitted')).toBe('auto-generated');
    });
    expect((await invite('joe@elsewhere.example')).mail_fault).toContain('Relay access denied');
    const other = await hub.makeWorkspace();
    const unmailed = await hub.operate('POST', `/workspaces/${other.id}/invitations`, {
      email: 'kim@lind.example',
      role: 'agent',
    });
    expect(unmailed.json()).toMatchObject({ mailed_at: null });
  });
});
