import { join } from 'node:path';
import { ImapFlow } from 'imapflow';
import { afterAll, describe, expect, test } from 'vitest';
import { fetchFile } from '../../../connectors/email/files.ts';
import { normalise } from '../../../connectors/email/normalise.ts';
import type { Json } from '../../../core/contract/account.ts';
import type { Attachment } from '../../../core/contract/inbound.ts';
import { connectorTools } from '../../helpers/platforms/connector-tools.ts';
import { emailAccount } from '../../helpers/platforms/email/account.ts';
import { startDovecot } from '../../helpers/platforms/email/start-dovecot.ts';
import { mailboxMemory, watchMail } from '../../helpers/platforms/email/watch-mail.ts';
import { emptyTestFolder } from '../../helpers/stores/databases/test-data-folder.ts';

const boxes = ['whole', 'cut', 'gone'].map((name) => `${name}@shop.example`);
const server = await startDovecot(join(emptyTestFolder(), 'dovecot'), boxes);
afterAll(() => server?.stop());
const missing = server === null ? ' (skipped: no Dovecot here, or not root)' : '';

const picture = Buffer.from(Array.from({ length: 3_000 }, (_, index) => index % 256));
const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll(/(.{76})/g, '$1\r\n');
const mail = (text: string) =>
  [
    'From: Anna Lind <anna@lind.example>',
    'To: help@shop.example',
    'Subject: Broken pot',
    'Message-ID: <pot@lind.example>',
    'Date: Mon, 21 Sep 2026 12:00:00 +0000',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain; charset=utf-8',
    '',
    text,
    '--b',
    'Content-Type: text/csv; name="orders.csv"',
    'Content-Disposition: attachment; filename="orders.csv"',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'caf=C3=A9,2',
    '--b',
    'Content-Type: image/png; name="pot.png"',
    'Content-Disposition: attachment; filename="pot.png"',
    'Content-Transfer-Encoding: base64',
    '',
    base64(picture),
    '--b--',
  ].join('\r\n');

describe.skipIf(server === null)(`a file of a mail${missing}`, () => {
  if (server === null) return;
  const { imapPort, deliver, password } = server;
  const mailbox = (user: string, max_bytes?: number) =>
    emailAccount({
      imap: { port: imapPort, user, pass: password },
      settings: { ...(max_bytes !== undefined && { max_bytes }) },
    });
  type Account = ReturnType<typeof mailbox>;
  /** Returns a mail as the listener reads it. */
  const received = async (account: Account, text: string): Promise<readonly Attachment[]> => {
    const natives: Json[] = [];
    const process = watchMail(account, mailboxMemory(), {
      accept: async (deliveries) => void natives.push(...deliveries.map(({ native }) => native)),
    });
    await process.until('alive');
    await deliver(mail(text), account.credentials.imap.user);
    await process.until(`accept Broken pot\n\n${text}`);
    await process.stop();
    const [event] = normalise(natives[0] ?? null, account);
    return event?.type === 'message' ? event.attachments : [];
  };
  const fetched = async (file: Attachment | undefined, account: Account) => {
    const { contentType, body } = await fetchFile(file?.reference ?? '', account, connectorTools());
    return { contentType, body: Buffer.from(body) };
  };
  const onServer = async (user: string, act: (client: ImapFlow) => Promise<unknown>) => {
    const auth = { user, pass: password };
    const client = new ImapFlow({ host: '127.0.0.1', port: imapPort, secure: false, auth, logger: false });
    await client.connect();
    await client.mailboxOpen('INBOX');
    const result = await act(client);
    await client.logout();
    return result;
  };

  test('is fetched from the mailbox as it was sent, and leaves the mail unchanged', async () => {
    const account = mailbox(boxes[0] ?? '');
    const files = await received(account, 'It is broken.');
    expect(files.map(({ name }) => name)).toEqual(['orders.csv', 'pot.png']);
    await onServer(boxes[0] ?? '', (client) => client.messageFlagsRemove('1', ['\\Seen']));
    expect(await fetched(files[1], account)).toEqual({ contentType: 'image/png', body: picture });
    expect((await fetched(files[0], account)).body.toString().trim()).toBe('café,2');
    const seen = await onServer(boxes[0] ?? '', (client) => client.fetchOne('1', { flags: true }));
    expect(seen).toMatchObject({ flags: new Set() });
  });

  test('is fetched by its part if the mail was too large to be read, and so is the whole mail', async () => {
    const account = mailbox(boxes[1] ?? '', 10_000);
    const text = `It is broken. ${'x'.repeat(12_000)}`;
    const files = await received(account, text);
    expect(files.map(({ name }) => name)).toEqual([
      'orders.csv',
      'pot.png',
      'the whole mail, which was too large to be read',
    ]);
    expect(await fetched(files[1], account)).toEqual({ contentType: 'image/png', body: picture });
    const whole = await fetched(files[2], account);
    expect([whole.contentType, whole.body.toString()]).toEqual([
      'message/rfc822',
      expect.stringContaining('boundary=b'),
    ]);
  });

  test('is reported as gone if the mail was deleted or UIDVALIDITY changed', async () => {
    const account = mailbox(boxes[2] ?? '');
    const [file] = await received(account, 'It is broken.');
    const again = file && { ...file, reference: file.reference.replace(/^\d+/, '1') };
    const isGone = {
      message: expect.stringContaining('no longer in the folder'),
      advice: { retry: 'never' },
    };
    await expect(fetched(again, account)).rejects.toMatchObject(isGone);
    await onServer(boxes[2] ?? '', (client) => client.messageDelete('1'));
    await expect(fetched(file, account)).rejects.toMatchObject(isGone);
  });

  test.each(['https://evil.example/x', '1/1/../etc', '1/1', '1/x/n0', '1/1/n0 2', ''])(
    'is not requested with the reference %s',
    async (reference) => {
      const tools = connectorTools({ resolve: async () => [] });
      await expect(async () => fetchFile(reference, mailbox(boxes[0] ?? ''), tools)).rejects.toThrow(
        'not a file of a mailbox',
      );
    },
  );
});
