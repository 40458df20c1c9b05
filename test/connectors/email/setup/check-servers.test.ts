import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { checkServers } from '../../../../connectors/email/setup/check-servers.ts';
import { FetchError } from '../../../../core/base/http-client.ts';
import { connectorTools } from '../../../helpers/platforms/connector-tools.ts';
import { emailAccount } from '../../../helpers/platforms/email/account.ts';
import { startDovecot } from '../../../helpers/platforms/email/start-dovecot.ts';
import { smtpRefusal, startSmtp } from '../../../helpers/platforms/email/start-smtp.ts';
import { freePort } from '../../../helpers/servers/network/free-port.ts';
import { emptyTestFolder } from '../../../helpers/stores/databases/test-data-folder.ts';

const shop = 'help@shop.example';
const dovecot = await startDovecot(join(emptyTestFolder(), 'dovecot'), [shop]);
const missing = dovecot === null ? ' (skipped: no Dovecot here, or not root)' : '';
afterAll(() => dovecot?.stop());

/** How a login stands in a command of IMAP and SMTP. */
const sasl = Buffer.from(`\0${shop}\0a-password-for-the-tests`).toString('base64');

type Servers = Parameters<typeof emailAccount>[0];

/** Checks a mailbox; returns what each server said, without its words. */
async function check(servers: Servers, { tools = {}, loginMs = 12_000 } = {}) {
  const results = await checkServers(emailAccount(servers), connectorTools(tools), loginMs);
  return Object.fromEntries(results.map((result) => [result.server, result]));
}

describe.skipIf(dovecot === null)(`the check of a mailbox at a real IMAP server${missing}`, () => {
  if (dovecot === null) return;
  const { imapPort } = dovecot;

  test('signs in to both servers, counts the mails, and marks none as read', async () => {
    const smtp = await startSmtp();
    await dovecot.deliver('Subject: One\r\n\r\nHello', shop);
    await dovecot.deliver('Subject: Two\r\n\r\nHello', shop);
    for (const _again of [1, 2]) {
      expect(await check({ imap: { port: imapPort }, smtp: { port: smtp.port } })).toEqual({
        incoming: { server: 'incoming', problem: null, detail: null, mails: 2, unread: 2 },
        outgoing: { server: 'outgoing', problem: null, detail: null, mails: null, unread: null },
      });
    }
    expect(smtp.taken).toEqual([]);
    await smtp.close();
  });

  test('tells a wrong password at each server, whatever the other one says', async () => {
    const smtp = await startSmtp({
      onAuth: (_auth, _session, done) => done(smtpRefusal(535, 'Wrong password')),
    });
    const { incoming, outgoing } = await check({
      imap: { port: imapPort, pass: 'a-wrong-password' },
      smtp: { port: smtp.port },
    });
    expect([incoming?.problem, outgoing?.problem]).toEqual(['wrong_password', 'wrong_password']);
    expect(incoming?.detail).toContain('Authentication failed');
    await smtp.close();
  });

  test('tells a folder that does not exist, and a server that speaks no TLS', async () => {
    const account = { imap: { port: imapPort }, settings: { mailbox: 'Nowhere' } };
    expect((await check(account)).incoming?.problem).toBe('no_folder');
    const encrypted = { imap: { port: imapPort, secure: true } };
    expect((await check(encrypted)).incoming?.problem).toBe('no_tls');
  });
});

describe('the check of a mailbox', () => {
  test.each([
    [
      '5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Tenant.',
      'smtp_auth_off',
    ],
    ['5.7.139 Authentication unsuccessful, basic authentication is disabled.', 'passwords_off'],
    ['5.7.9 Application-specific password required.', 'app_password_needed'],
    ['5.7.8 Username and Password not accepted.', 'wrong_password'],
  ])('takes a refusal of SMTP with “%s” for %s', async (words, problem) => {
    const smtp = await startSmtp({ onAuth: (_auth, _session, done) => done(smtpRefusal(535, words)) });
    const { outgoing } = await check({ imap: { port: 1 }, smtp: { port: smtp.port } });
    expect(outgoing?.problem).toBe(problem);
    expect(outgoing?.detail).toContain(words);
    await smtp.close();
  });

  test.each([
    [
      '[ALERT] Your account is not enabled for IMAP use. Please visit your account settings page.',
      'imap_off',
    ],
    [
      '[ALERT] Application-specific password required: https://support.google.com/accounts/answer/185833',
      'app_password_needed',
    ],
    ['BasicAuthBlocked: LOGIN failed.', 'passwords_off'],
    ['[UNAVAILABLE] Too many connections.', 'busy'],
    [`LOGIN failed: ${sasl} a-password-for-the-tests`, 'wrong_password'],
  ])('takes a refusal of IMAP with “%s” for %s, and repeats no password', async (words, problem) => {
    const imap = await startRefusingImap(words);
    const { incoming } = await check({ imap: { port: imap.port }, smtp: { port: 1 } });
    expect(incoming?.problem).toBe(problem);
    expect(incoming?.detail).not.toContain('a-password-for-the-tests');
    expect(incoming?.detail).not.toContain(sasl);
    imap.close();
  });

  test('tells a port where nothing listens, a name that does not exist, and a private network', async () => {
    const closed = await freePort();
    const none = await check({ imap: { port: closed }, smtp: { port: closed } });
    expect([none.incoming?.problem, none.outgoing?.problem]).toEqual(['no_connection', 'no_connection']);
    const refuse = (error: Error) => async () => {
      throw error;
    };
    const unknown = await check(
      {},
      { tools: { resolve: refuse(new FetchError('host_unreachable', 'no name')) } },
    );
    expect([unknown.incoming?.problem, unknown.outgoing?.problem]).toEqual(['unknown_host', 'unknown_host']);
    const inside = new FetchError('address_refused', 'mail.shop.example (10.0.0.1) is not a public address.');
    const guarded = await check({}, { tools: { resolve: refuse(inside) } });
    expect(guarded.incoming?.problem).toBe('private_host');
  });

  test('ends at its limit with a server that says nothing', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const port = portOf(silent);
    const { incoming, outgoing } = await check({ imap: { port }, smtp: { port } }, { loginMs: 100 });
    expect([incoming?.problem, outgoing?.problem]).toEqual(['timeout', 'timeout']);
    silent.close();
  });
});

/** An IMAP server that refuses every login in the given words. */
async function startRefusingImap(words: string) {
  const server = createServer((socket) => {
    socket.write('* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN SASL-IR] ready\r\n');
    socket.on('error', () => {});
    socket.on('data', (data) => {
      const [tag = '*', command = ''] = data.toString('latin1').split(' ', 2);
      const isLogin = /^(?:LOGIN|AUTHENTICATE)/i.test(command);
      const listed = /^CAPABILITY/i.test(command) ? '* CAPABILITY IMAP4rev1 AUTH=PLAIN SASL-IR\r\n' : '';
      socket.write(`${listed}${tag} ${isLogin ? `NO ${words}` : 'OK done'}\r\n`);
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  server.unref();
  return { port: portOf(server), close: () => server.close() };
}

function portOf(server: ReturnType<typeof createServer>): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('no port');
  return address.port;
}
