import PostalMime from 'postal-mime';
import { afterAll, describe, expect, test } from 'vitest';
import { deliver } from '../../../connectors/email/deliver.ts';
import { probe } from '../../../connectors/email/email.ts';
import { openImap } from '../../../connectors/email/imap.ts';
import { type EmailAccount, manifest } from '../../../connectors/email/manifest.ts';
import { render } from '../../../connectors/email/render.ts';
import { FetchError } from '../../../core/base/http-client.ts';
import type { Reply } from '../../../core/contract/outbound.ts';
import { plainReply } from '../../helpers/models/plain-reply.ts';
import { connectorTools } from '../../helpers/platforms/connector-tools.ts';
import { emailAccount } from '../../helpers/platforms/email/account.ts';
import { smtpRefusal, startCuttingSmtp, startSmtp } from '../../helpers/platforms/email/start-smtp.ts';
import { freePort } from '../../helpers/servers/network/free-port.ts';

const closing: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(closing.map((close) => close())));

async function server(options: Parameters<typeof startSmtp>[0] = {}) {
  const started = await startSmtp(options);
  closing.push(started.close);
  return started;
}

const lane = '0123456789abcdef0123';
const address = {
  to: 'anna@lind.example',
  name: 'Anna Lind',
  subject: 'Opening hours',
  references: ['1@lind.example'],
  quote: null,
};

/** Sends a reply with a single part. */
async function send(
  account: EmailAccount,
  reply: Partial<Reply> = {},
  changes: Partial<typeof address> = {},
  tools = connectorTools(),
) {
  const to = { lane, address: { ...address, ...changes } };
  const [part] = render(plainReply({ id: 'msg_1', ...reply }), to, account);
  if (part === undefined) throw new TypeError('no part');
  return deliver(part, to, account, tools);
}

describe('a sent mail', () => {
  test('has its thread headers, its automatic marks and both forms of its text', async () => {
    const { port, taken } = await server();
    const account = emailAccount({ smtp: { port } });
    const references = Array.from({ length: 60 }, (_, index) => `${index}@lind.example`);
    const text =
      'We **are** open.\n\n- Monday\n- Friday\n\n> quoted\n\n<script>alert(1)</script> [x](https://shop.example/?a=1&b="2") `a < b`';
    const receipt = await send(
      account,
      { text, sources: [{ title: 'Hours <1>', url: 'https://shop.example/h' }] },
      { references },
    );
    const [sent] = taken;
    expect(sent).toMatchObject({ from: 'help@shop.example', to: ['anna@lind.example'] });
    const mail = await PostalMime.parse(sent?.raw ?? '');
    const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value;
    expect(mail.messageId).toBe(`<${receipt.messageId}>`);
    expect(mail.inReplyTo).toBe('<59@lind.example>');
    const followed = mail.references?.split(/\s+/) ?? [];
    expect(followed).toHaveLength(30);
    expect([followed[0], followed.at(-1)]).toEqual(['<0@lind.example>', '<59@lind.example>']);
    expect(header('auto-submitted')).toBe('auto-replied');
    expect(mail.to).toEqual([{ name: 'Anna Lind', address: 'anna@lind.example' }]);
    expect(mail.text).toContain('We are open.\n\n• Monday\n• Friday');
    expect(mail.html).toContain('<strong>are</strong>');
    expect(mail.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(mail.html).not.toContain('<script');
    expect(mail.html).toContain('Hours &lt;1&gt;');
  });

  test('keeps its id when it is sent again, and gets a new id for another reply', async () => {
    const { port, taken } = await server();
    const account = emailAccount({ smtp: { port } });
    const [first, again] = [await send(account), await send(account)];
    expect(again).toEqual(first);
    expect((await send(account, { id: 'msg_2' })).messageId).not.toBe(first.messageId);
    expect(taken).toHaveLength(3);
  });

  test('has no automatic marks if an agent wrote it, and allows no header injection', async () => {
    const { port, taken } = await server();
    const account = emailAccount({ smtp: { port }, settings: { plus_addressing: false } });
    await send(
      account,
      { author: 'agent' },
      { subject: 'AW: a\r\nBcc: x@evil.example', name: 'A"\r\nBcc: <y@evil.example>' },
    );
    const mail = await PostalMime.parse(taken[0]?.raw ?? '');
    expect(mail.headers.map(({ key }) => key)).not.toEqual(expect.arrayContaining(['auto-submitted']));
    expect(mail.headers.map(({ key }) => key)).not.toContain('bcc');
    expect(mail.subject).toBe('Re: a Bcc: x@evil.example');
    expect(mail.replyTo).toBeUndefined();
    expect(taken[0]?.to).toEqual(['anna@lind.example']);
  });

  test('quotes the mail that it replies to if the setting is on', async () => {
    const { port, taken } = await server();
    const account = emailAccount({ smtp: { port } });
    const to = {
      lane,
      address: { ...address, quote: { text: 'When are you\nopen?', at: '2026-09-21T12:00:00.000Z' } },
    };
    const [part] = render(plainReply({ text: 'On Monday.' }), to, account);
    await deliver(part ?? { content: null }, to, account, connectorTools());
    const mail = await PostalMime.parse(taken[0]?.raw ?? '');
    expect(mail.text?.replaceAll('\r\n', '\n')).toContain(
      'On Monday.\n\n2026-09-21 12:00 UTC, anna@lind.example:\n> When are you\n> open?',
    );
    expect(mail.html).toContain('<blockquote type="cite"');
  });
});

describe('refusals of a server', () => {
  const refusing = (code: number, reason: string) => ({
    onRcptTo: (_to: unknown, _session: unknown, done: (error: Error) => void) =>
      done(smtpRefusal(code, reason)),
  });
  test.each([
    [450, '4.2.1 Mailbox busy', { retry: 'backoff' }],
    [421, '4.7.0 Try again later', { retry: 'backoff' }],
    [550, '5.1.1 User unknown', { retry: 'never' }],
    [552, '5.2.2 Mailbox full', { retry: 'never' }],
    [
      550,
      '5.4.5 Daily user sending limit exceeded',
      { retry: 'after', afterMs: 3_600_000, limited: 'account' },
    ],
  ])('advises for %i %s', async (code, reason, advice) => {
    const { port } = await server(refusing(code, reason));
    const error = await send(emailAccount({ smtp: { port } })).catch((fault) => fault);
    expect(error).toMatchObject({ name: 'ConnectorError', advice, account: false, untaken: true });
    expect(error.message).toContain(reason);
  });

  test('are understood after the text as well', async () => {
    const { port } = await server({
      onData: (stream, _session, done) =>
        stream.resume().on('end', () => done(smtpRefusal(554, '5.7.1 Spam'))),
    });
    await expect(send(emailAccount({ smtp: { port } }))).rejects.toMatchObject({
      advice: { retry: 'never' },
    });
  });

  test('disable the account after a refused login, unless the server says that it is transient', async () => {
    const of = async (code: number) => {
      const { port } = await server({
        onAuth: (_auth, _session, done) => done(smtpRefusal(code, `${code} no`)),
      });
      return emailAccount({ smtp: { port } });
    };
    await expect(send(await of(535))).rejects.toMatchObject({ account: true, advice: { retry: 'never' } });
    await expect(send(await of(454))).rejects.toMatchObject({
      ...{ account: false, untaken: true },
      advice: { retry: 'backoff' },
    });
  });

  test('retries if no server listens, first at the next address of the server', async () => {
    const { port, taken } = await server();
    const away = emailAccount({ smtp: { port: await freePort() } });
    await expect(send(away)).rejects.toMatchObject({ advice: { retry: 'backoff' }, untaken: true });
    const tools = connectorTools({ resolve: async () => ['127.0.0.2', '127.0.0.1'] });
    await send(emailAccount({ smtp: { port, host: 'smtp.shop.example' } }), {}, {}, tools);
    expect(taken).toHaveLength(1);
  });

  test('say nothing about a mail after which the server hung up', async () => {
    const cutting = await startCuttingSmtp();
    closing.push(cutting.close);
    await expect(send(emailAccount({ smtp: { port: cutting.port } }))).rejects.toMatchObject({
      ...{ advice: { retry: 'backoff' }, untaken: false },
    });
    expect(cutting.received()).toContain('Subject: ');
  });

  test('are not sent to the next address once a server may have taken them', async () => {
    const cutting = await startCuttingSmtp();
    closing.push(cutting.close);
    const account = emailAccount({ smtp: { port: cutting.port, host: 'smtp.shop.example' } });
    const tools = connectorTools({ resolve: async () => ['127.0.0.1', '127.0.0.1'] });
    await expect(send(account, {}, {}, tools)).rejects.toMatchObject({ untaken: false });
    expect(cutting.received().match(/Subject: /g)).toHaveLength(1);
  });

  test('refuses a mail without a recipient', async () => {
    await expect(send(emailAccount(), {}, { to: '' })).rejects.toMatchObject({ advice: { retry: 'never' } });
  });
});

describe('connections', () => {
  test('refuses private networks before anything is sent to them', async () => {
    const { port, taken } = await server();
    const resolve = async () => {
      throw new FetchError('address_refused', 'smtp.shop.example (10.0.0.1) is not a public address.');
    };
    const tools = connectorTools({ resolve });
    const account = emailAccount({ smtp: { port }, imap: { port } });
    await expect(send(account, {}, {}, tools)).rejects.toMatchObject({
      message: expect.stringContaining('not a public address'),
    });
    await expect(openImap(account.credentials.imap, tools)).rejects.toMatchObject({ name: 'ConnectorError' });
    expect(taken).toEqual([]);
  });

  test('requires encryption with a trusted certificate, unless the settings say otherwise', async () => {
    const { port, taken } = await server();
    await expect(send(emailAccount({ smtp: { port, secure: true } }))).rejects.toMatchObject({
      advice: { retry: 'backoff' },
    });
    expect(taken).toEqual([]);
    let isSecure = false;
    const open = await server({
      onMailFrom: (_from, session, done) => {
        isSecure = session.secure;
        done();
      },
    });
    await send(emailAccount({ smtp: { port: open.port } }));
    expect(isSecure).toBe(true);
  });
});

describe('OAuth', () => {
  const oauth = {
    client_id: 'app',
    client_secret: 'app-secret',
    refresh_token: 'granted',
    token_url: 'https://login.example/token',
  };
  const tokens = (...answers: readonly Response[]) => {
    const asked: string[] = [];
    const queue = [...answers];
    const tools = connectorTools({
      now: () => new Date(),
      fetch: async (_url, init) => {
        asked.push(String(init?.body));
        return queue.shift() ?? Response.json({ error: 'too_often' }, { status: 400 });
      },
    });
    return { asked, tools };
  };
  const account = (port: number, grant: object = {}) =>
    emailAccount({ smtp: { port, pass: undefined, oauth: { ...oauth, ...grant } } });

  test('fetches a token, uses it with XOAUTH2 and caches it until it expires', async () => {
    const shown: unknown[] = [];
    const { port, taken } = await server({
      authMethods: ['XOAUTH2'],
      onAuth: ({ method, username, accessToken }, _session, done) => {
        shown.push([method, username, accessToken]);
        done(null, { user: username });
      },
    });
    const { asked, tools } = tokens(Response.json({ access_token: 'token-1', expires_in: 3_600 }));
    await send(account(port), {}, {}, tools);
    await send(account(port), {}, {}, tools);
    expect(taken).toHaveLength(2);
    expect(shown).toEqual(Array(2).fill(['XOAUTH2', 'help@shop.example', 'token-1']));
    expect(asked).toEqual([
      'client_id=app&grant_type=refresh_token&client_secret=app-secret&refresh_token=granted',
    ]);
  });

  test('fetches a new token after the server refused one', async () => {
    const { port, taken } = await server({
      authMethods: ['XOAUTH2'],
      onAuth: ({ accessToken }, _session, done) =>
        accessToken === 'good' ? done(null, { user: 'x' }) : done(smtpRefusal(535, '5.7.8 expired')),
    });
    const { tools } = tokens(Response.json({ access_token: 'bad' }), Response.json({ access_token: 'good' }));
    const grant = { refresh_token: 'another' };
    await expect(send(account(port, grant), {}, {}, tools)).rejects.toMatchObject({
      advice: { retry: 'backoff' },
      account: true,
    });
    await send(account(port, grant), {}, {}, tools);
    expect(taken).toHaveLength(1);
  });

  test('disables the account after a revoked grant, without secrets in the message', async () => {
    const { tools } = tokens(
      Response.json(
        { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' },
        { status: 400 },
      ),
    );
    const error = await send(account(1, { refresh_token: 'revoked' }), {}, {}, tools).catch((fault) => fault);
    expect(error).toMatchObject({
      account: true,
      message: 'The token server refused the request: Token has been expired or revoked.',
    });
    const { tools: busy } = tokens(new Response('', { status: 503 }));
    await expect(send(account(1, { refresh_token: 'busy' }), {}, {}, busy)).rejects.toMatchObject({
      advice: { retry: 'backoff' },
      account: false,
    });
  });

  test('requires either a password or a grant for a mailbox', () => {
    const { imap, smtp } = emailAccount().credentials;
    const isTaken = (server: object) =>
      manifest.credentials.safeParse({ smtp, imap: { ...imap, ...server } }).success;
    expect([
      isTaken({}),
      isTaken({ oauth }),
      isTaken({ pass: undefined, oauth }),
      isTaken({ pass: undefined }),
    ]).toEqual([true, false, true, false]);
  });
});

test('reports a mailbox that cannot be read before the account is stored', async () => {
  await expect(
    probe(emailAccount({ imap: { port: await freePort() } }), connectorTools()),
  ).rejects.toMatchObject({
    message: expect.stringMatching(/^The IMAP server cannot be used/),
  });
});
