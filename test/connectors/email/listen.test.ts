import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ImapFlow } from 'imapflow';
import { afterAll, describe, expect, test } from 'vitest';
import { probe } from '../../../connectors/email/email.ts';
import type { Delivery } from '../../../core/contract/inbound.ts';
import { ThreadError } from '../../../core/contract/threads.ts';
import { connectorTools } from '../../helpers/platforms/connector-tools.ts';
import { emailAccount } from '../../helpers/platforms/email/account.ts';
import { startDovecot } from '../../helpers/platforms/email/start-dovecot.ts';
import { startSmtp } from '../../helpers/platforms/email/start-smtp.ts';
import { mailboxMemory, watchMail } from '../../helpers/platforms/email/watch-mail.ts';
import { freePort } from '../../helpers/servers/network/free-port.ts';
import { emptyTestFolder } from '../../helpers/stores/databases/test-data-folder.ts';

const boxes = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k'].map((name) => `${name}@shop.example`);
const server = await startDovecot(join(emptyTestFolder(), 'dovecot'), boxes);
afterAll(() => server?.stop());
const missing = server === null ? ' (skipped: no Dovecot here, or not root)' : '';

describe.skipIf(server === null)(`a mailbox of a real server${missing}`, () => {
  if (server === null) return;
  const { imapPort, deliver, password } = server;
  const mailbox = (user: string, settings: Parameters<typeof emailAccount>[0] = {}) =>
    emailAccount({ imap: { port: imapPort, user, pass: password }, ...settings });
  let last = 0;
  const send = (to: string, text: string, more = '') => {
    last += 1;
    return deliver(
      `From: anna@lind.example\r\nTo: ${to}\r\nSubject: Re: x\r\nMessage-ID: <${last}@lind.example>\r\nDate: Mon, 21 Sep 2026 12:00:00 +0000\r\n${more}\r\n${text}\r\n`,
      to,
    );
  };
  const flagsIn = async (user: string) => {
    const client = new ImapFlow({
      host: '127.0.0.1',
      port: imapPort,
      secure: false,
      auth: { user, pass: password },
      logger: false,
    });
    await client.connect();
    await client.mailboxOpen('INBOX', { readOnly: true });
    const found = await client.fetchAll('1:*', { flags: true });
    await client.logout();
    return found.map(({ flags }) => [...(flags ?? [])].includes('\\Seen'));
  };

  test('stores a mail, then the cursor, then marks the mail; older mails stay untouched', async () => {
    const [user = ''] = boxes;
    await send(user, 'before');
    const shared = mailboxMemory();
    const process = watchMail(mailbox(user), shared);
    await process.until('alive');
    const startedAt = performance.now();
    await send(user, 'first');
    await process.until('accept first');
    // Notified by the server: the next NOOP is not due yet.
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    await send(user, 'second');
    await process.until('accept second');
    await process.stop();
    expect(process.log.filter((what) => what !== 'alive')).toEqual([
      'keep',
      'accept first',
      'keep',
      'accept second',
      'keep',
    ]);
    expect(shared.taken).toEqual(['first', 'second']);
    expect((await flagsIn(user)).slice(0, 2)).toEqual([false, true]);
  });

  test('continues after the last process and receives no mail twice', async () => {
    const [, user = ''] = boxes;
    const shared = mailboxMemory();
    const first = watchMail(mailbox(user), shared);
    await first.until('alive');
    await send(user, 'one');
    await first.until('accept one');
    await first.stop();
    for (const text of ['two', 'three']) await send(user, text);
    const next = watchMail(mailbox(user), shared);
    await next.until('accept three');
    await next.stop();
    expect(shared.taken).toEqual(['one', 'two', 'three']);
  });

  test('receives mails in the order of arrival, whatever their UIDs, and skips none', async () => {
    const [, , , , , , , , user = ''] = boxes;
    const shared = mailboxMemory();
    const before = watchMail(mailbox(user), shared);
    await before.until('alive');
    await before.stop();
    const client = new ImapFlow({
      host: '127.0.0.1',
      port: imapPort,
      secure: false,
      auth: { user, pass: password },
      logger: false,
    });
    await client.connect();
    for (const [second, text] of ['third', 'first', 'fourth', 'second'].entries()) {
      const at = new Date(Date.UTC(2026, 8, 21, 12, 0, [3, 1, 4, 2][second]));
      const mail = `From: anna@lind.example\r\nTo: ${user}\r\nSubject: Re: x\r\nMessage-ID: <${text}@order.example>\r\n\r\n${text}\r\n`;
      await client.append('INBOX', mail, [], at);
    }
    await client.logout();
    const dying = watchMail(mailbox(user), shared, {
      patienceMs: 0,
      accept: async () => {
        if (shared.taken.length === 2) throw new TypeError('no storage');
      },
    });
    await expect(dying.ended).rejects.toThrow('no storage');
    const next = watchMail(mailbox(user), shared);
    await next.until('accept fourth');
    await next.stop();
    expect(shared.taken).toEqual(['first', 'second', 'third', 'fourth']);
  });

  test('neither marks nor skips a mail that cannot be stored', async () => {
    const [, , user = ''] = boxes;
    const shared = mailboxMemory();
    const first = watchMail(mailbox(user), shared, {
      patienceMs: 0,
      accept: () => Promise.reject(new TypeError('no storage')),
    });
    await first.until('alive');
    await send(user, 'kept');
    await expect(first.ended).rejects.toThrow('no storage');
    expect(await flagsIn(user)).toEqual([false]);
    const next = watchMail(mailbox(user), shared);
    await next.until('accept kept');
    await next.stop();
  });

  test('answers no old mail after UIDVALIDITY changed, and receives the mails that arrived meanwhile', async () => {
    const [, , , user = ''] = boxes;
    const shared = mailboxMemory();
    const first = watchMail(mailbox(user), shared);
    await first.until('alive');
    for (const text of ['one', 'two']) {
      await send(user, text);
      await first.until(`accept ${text}`);
    }
    await first.stop();
    const before = shared.cursor;
    await server.stop();
    for (const file of [
      'dovecot-uidlist',
      'dovecot-uidvalidity',
      'dovecot.index',
      'dovecot.index.cache',
      'dovecot.index.log',
    ])
      rmSync(join(server.mailFolder, user, file), { force: true });
    server.start();
    await send(user, 'three');
    const next = watchMail(mailbox(user), shared);
    await next.until('accept three');
    await next.stop();
    expect(shared.taken).toEqual(['one', 'two', 'three']);
    expect(before).not.toMatchObject({ uidValidity: Object(shared.cursor).uidValidity });
  });

  test('reconnects after a lost connection', async () => {
    const [, , , , user = ''] = boxes;
    const shared = mailboxMemory();
    const process = watchMail(mailbox(user), shared);
    await process.until('alive');
    await server.stop();
    server.start();
    await send(user, 'after the restart');
    await process.until('accept after the restart');
    await process.stop();
  });

  test('sends NOOP to a silent server', async () => {
    const [, , , , , user = ''] = boxes;
    const process = watchMail(mailbox(user), mailboxMemory(), { beatMs: 30 });
    while (process.log.filter((what) => what === 'alive').length < 4)
      await process.until('alive').then(() => new Promise(setImmediate));
    await process.stop();
  });

  test('reads the text of a mail that is too large, and offers the whole mail', async () => {
    const [, , , , , , user = ''] = boxes;
    const shared = mailboxMemory();
    const natives: unknown[] = [];
    const process = watchMail(mailbox(user, { settings: { max_bytes: 20_000 } }), shared, {
      accept: async (deliveries) => void natives.push(...deliveries.map(({ native }) => native)),
    });
    await process.until('alive');
    const parts = [
      '--b',
      'Content-Type: text/plain; charset=iso-8859-1',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'f=FCr alle',
      '--b',
      'Content-Type: application/pdf; name="large.pdf"',
      'Content-Transfer-Encoding: base64',
      '',
      'QUJD'.repeat(10_000).replaceAll(/(.{76})/g, '$1\r\n'),
      '--b--',
    ].join('\r\n');
    await send(user, parts, 'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n');
    await process.until('accept für alle');
    await process.stop();
    expect(natives).toMatchObject([{ isCut: true, files: [{ name: 'large.pdf', type: 'application/pdf' }] }]);
  });

  test('a mail with megabytes of line ends delays neither this thread nor later mails', async () => {
    const [, , , , , , , , , user = ''] = boxes;
    const natives: unknown[] = [];
    const shared = mailboxMemory();
    const process = watchMail(mailbox(user), shared, {
      accept: async (deliveries: readonly Delivery[]) =>
        void natives.push(...deliveries.map(({ native }) => native)),
    });
    await process.until('alive');
    await send(user, '\r\n'.repeat(4_000_000));
    await send(user, 'after it');
    await process.until('accept after it');
    await process.stop();
    expect(natives).toMatchObject([{ isCut: true, isUnread: false, subject: 'Re: x' }, { isCut: false }]);
    expect(process.warned).toEqual([]);
  });

  test('logs a mail that exceeds the parsing limits once, leaves it in the mailbox and continues', async () => {
    const [, , , , , , , , , , user = ''] = boxes;
    const { runInThread } = connectorTools();
    const natives: unknown[] = [];
    let tasks = 0;
    const changes = {
      accept: async (deliveries: readonly Delivery[]) =>
        void natives.push(...deliveries.map(({ native }) => native)),
      runInThread: async (task: Parameters<typeof runInThread>[0]) => {
        tasks += 1;
        if (tasks === 1) throw new ThreadError('timed_out', 'It took too long.');
        return runInThread(task);
      },
    };
    const shared = mailboxMemory();
    const process = watchMail(mailbox(user), shared, changes);
    await process.until('alive');
    await send(user, 'never read');
    await send(user, 'after it');
    await process.until('accept after it');
    await process.stop();
    const next = watchMail(mailbox(user), shared, changes);
    await next.until('alive');
    await next.stop();
    expect(natives).toMatchObject([{ isUnread: true, text: '' }, { isUnread: false }]);
    expect([process.warned, next.warned]).toEqual([['reading a mail failed'], []]);
    expect((await flagsIn(user))[0]).toBe(true);
  });

  test('a mail that was being parsed when the process died is received once by the next process', async () => {
    const [user = ''] = boxes;
    const shared = mailboxMemory();
    const parsing = Promise.withResolvers<void>();
    const first = watchMail(mailbox(user), shared);
    await first.until('alive');
    await first.stop();
    const dying = watchMail(mailbox(user), shared, {
      runInThread: () => {
        parsing.resolve();
        return new Promise(() => {});
      },
    });
    await send(user, 'while it dies');
    await parsing.promise;
    const next = watchMail(mailbox(user), shared);
    await next.until('accept while it dies');
    await next.stop();
    expect(shared.taken.filter((text) => text === 'while it dies')).toHaveLength(1);
    expect(dying.log).not.toContain('keep');
  });

  test('reports a refused login in the server’s words, without a retry', async () => {
    const [user = ''] = boxes;
    const wrong = mailbox(user, { imap: { port: imapPort, user, pass: 'not-the-password' } });
    await expect(watchMail(wrong, mailboxMemory()).ended).rejects.toMatchObject({
      message: expect.stringMatching(/^The IMAP server refused the login: .*Authentication failed/),
      advice: { retry: 'never' },
      account: true,
    });
    const nowhere = mailbox(user, { settings: { mailbox: 'Nowhere' } });
    await expect(watchMail(nowhere, mailboxMemory()).ended).rejects.toMatchObject({
      advice: { retry: 'never' },
    });
  });

  test('reconnects to a server that is down, until that takes too long', async () => {
    const account = emailAccount({ imap: { port: await freePort() } });
    await expect(watchMail(account, mailboxMemory(), { patienceMs: 200 }).ended).rejects.toMatchObject({
      advice: { retry: 'backoff' },
      account: false,
    });
  });

  test('answers no mail from before the account was added, but the mails since then', async () => {
    const user = boxes[7] ?? '';
    await send(user, 'before');
    const smtp = await startSmtp();
    const account = { ...mailbox(user, { smtp: { port: smtp.port } }) };
    const profile = await probe(account, connectorTools());
    await send(user, 'between');
    const shared = mailboxMemory();
    const process = watchMail({ ...account, profile }, shared);
    await process.until('accept between');
    await process.stop();
    expect(shared.taken).toEqual(['between']);
    await smtp.close();
  });
});
