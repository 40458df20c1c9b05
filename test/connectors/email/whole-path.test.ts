import { createTransport } from 'nodemailer';
import { describe, expect, test } from 'vitest';
import { mailsIn } from '../../helpers/platforms/email/mailbox-reader.ts';
import { openMailServers } from '../../helpers/platforms/email/open-mail-servers.ts';
import { openEmailServer } from '../../helpers/servers/channels/open-email-server.ts';

const shop = 'help@shop.example';
const anna = 'anna@lind.example';
const eva = 'eva@berg.example';
const one = 'one@hub.example';
const two = 'two@hub.example';
const servers = await openMailServers([shop, anna, eva, one, two]);
const missing = servers === null ? ' (skipped: no Dovecot and Postfix here, or not root)' : '';

function withServers() {
  if (servers === null) throw new TypeError(missing);
  const { dovecot, postfix } = servers;
  const transport = createTransport({ host: '127.0.0.1', port: postfix.smtpPort, ignoreTLS: true });
  return {
    mailbox: (address: string) => ({
      address,
      imapPort: dovecot.imapPort,
      smtpPort: postfix.submissionPort,
      password: dovecot.password,
    }),
    inboxOf: (address: string) => mailsIn(dovecot.mailFolder, address),
    send: (mail: Parameters<typeof transport.sendMail>[0]) => transport.sendMail(mail),
  };
}

describe.skipIf(servers === null)(`mail through real servers${missing}`, async () => {
  if (servers === null) return;
  const { mailbox, inboxOf, send } = withServers();
  const hub = await openEmailServer(mailbox(shop));
  const { eventually, conversations, notes, parts } = hub;
  const answered = async (address: string, count: number) => {
    await eventually(async () => expect((await inboxOf(address)).length).toBeGreaterThanOrEqual(count));
    return (await inboxOf(address)).slice(count - 1)[0];
  };

  test('connects a mailbox and reports the errors of its servers', () => {
    expect(hub.added.statusCode).toBe(201);
  });

  test('answers a question in its thread, marked as automatic', async () => {
    await send({
      from: `Anna Lind <${anna}>`,
      to: shop,
      messageId: '<first@lind.example>',
      subject: 'AW: Re: Opening hours',
      text: 'When are you open?\n\n-- \nAnna',
    });
    const answer = await answered(anna, 1);
    expect(answer?.subject).toBe('Re: Opening hours');
    expect(answer?.from).toEqual({ name: 'Garden Shop', address: shop });
    expect(answer?.inReplyTo).toBe('<first@lind.example>');
    expect(answer?.references).toBe('<first@lind.example>');
    expect(answer?.header('auto-submitted')).toBe('auto-replied');
    expect(answer?.header('x-auto-response-suppress')).toBe('All');
    expect(answer?.replyTo?.[0]?.address).toMatch(/^help\+[0-9a-f]{40}@shop\.example$/);
    expect(answer?.text).toContain('open on weekdays from nine to five');
    expect(answer?.html).toContain('open on weekdays from nine to five');
    expect(answer?.html).toContain('<p');
  });

  test('continues the conversation with the reply, without its quotation', async () => {
    const before = (await inboxOf(anna)).at(-1);
    const quoted = (before?.text ?? '').replaceAll(/^/gm, '> ');
    await send({
      from: `Anna Lind <${anna}>`,
      to: before?.replyTo?.[0]?.address ?? '',
      messageId: '<second@lind.example>',
      subject: 'Re: Opening hours',
      text: `Can plants be returned?\n\nOn Mon, Sep 21, 2026 at 2:00 PM Garden Shop <${shop}> wrote:\n\n${quoted}`,
    });
    const answer = await answered(anna, 2);
    expect(answer?.text).toContain('thirty days');
    const [first = []] = await conversations();
    expect(first.filter((line) => line.startsWith('user'))).toEqual([
      'user: When are you open?',
      'user: Can plants be returned?',
    ]);
  });

  test('matches a reply by its headers if the mail program drops the plus address', async () => {
    const [first] = await inboxOf(anna);
    await send({
      from: anna,
      to: shop,
      inReplyTo: first?.messageId ?? '',
      references: ['<first@lind.example>', first?.messageId ?? ''],
      subject: 'Something else entirely',
      text: 'And when are you open on weekdays?',
    });
    await answered(anna, 3);
    expect(await conversations()).toHaveLength(1);
  });

  test('starts a separate conversation for a stranger who knows a Message-ID', async () => {
    const [first] = await inboxOf(anna);
    await send({
      from: eva,
      to: shop,
      inReplyTo: first?.messageId ?? '',
      subject: 'Re: Opening hours',
      text: 'When are you open?',
    });
    await answered(eva, 1);
    expect(await conversations()).toHaveLength(2);
    const [asked, quoting] = await hub.query('select id from conversation order by started_at');
    await eventually(async () =>
      expect(await hub.query('select conversation_id, content from note order by created_at, id')).toEqual([
        {
          conversation_id: quoting?.id,
          content: `may belong to conversation ${asked?.id}, in which its sender does not participate`,
        },
        {
          conversation_id: asked?.id,
          content: `conversation ${quoting?.id} may belong here, although its sender does not participate in this conversation`,
        },
      ]),
    );
  });

  test("sends an agent's reply without automatic marks", async () => {
    const [first] = await hub.query(`select id from conversation order by started_at limit 1`);
    await hub.operate('POST', `/workspaces/${hub.workspace.id}/conversations/${first?.id}/reply`, {
      content: 'Hello Anna, **this** is Kim.',
      author_email: 'kim@shop.example',
    });
    const answer = await answered(anna, 4);
    expect(answer?.header('auto-submitted')).toBeNull();
    expect(answer?.html).toContain('<strong>this</strong>');
    expect(answer?.subject).toBe('Re: Something else entirely');
  });

  test('sets a bounced message to failed, with the reason', async () => {
    await send({ from: 'gone@lind.example', to: shop, subject: 'Hours', text: 'When are you open?' });
    await eventually(async () => expect((await parts()).at(-1)).toMatchObject({ status: 'failed' }));
    const last = (await parts()).at(-1);
    expect(last?.failure).toMatch(/User doesn't exist|5\.1\.1/);
    expect(await conversations()).toHaveLength(3);
  });

  test('answers no automatic replies, mailing lists or own mails, and notes the reason in the conversation', async () => {
    const before = (await parts()).length;
    const known = (await notes()).length;
    const [first] = await inboxOf(eva);
    await send({
      from: eva,
      to: first?.replyTo?.[0]?.address ?? '',
      subject: 'Automatic reply: Opening hours',
      headers: { 'Auto-Submitted': 'auto-replied' },
      text: 'I am away until Monday.',
    });
    await eventually(async () => expect((await notes()).slice(known)).toEqual(['parked: automatic reply']));
    await send({
      from: 'news@list.example',
      to: shop,
      subject: 'News',
      headers: { 'List-Id': '<news.list.example>', Precedence: 'bulk' },
      text: 'News of the week.',
    });
    await eventually(async () => expect((await notes()).slice(known + 1)).toEqual(['parked: mailing list']));
    await send({ from: shop, to: shop, subject: 'To myself', text: 'When are you open?' });
    await send({
      from: 'bot@elsewhere.example',
      to: shop,
      subject: 'A ticket',
      headers: { 'X-Auto-Response-Suppress': 'All' },
      text: 'Please call me.',
    });
    await eventually(async () =>
      expect((await notes()).slice(known + 2)).toEqual(['parked: asks for no automatic answer']),
    );
    const [escalated] = await hub.query(`select status from conversation order by started_at desc limit 1`);
    expect(escalated).toEqual({ status: 'escalated' });
    expect((await parts()).length).toBe(before);
    expect((await conversations()).flat().join('\n')).not.toContain('To myself');
  });

  test('fetches a file from the mailbox when an operator requests it', async () => {
    const leaf = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255, 13, 10]);
    await send({
      from: 'bo@lind.example',
      to: shop,
      subject: 'A leaf',
      text: 'When are you open?',
      attachments: [{ filename: 'blätter.png', content: leaf, contentType: 'image/png' }],
    });
    const message = await eventually(async () => {
      const [row] = await hub.query(
        `select id, conversation_id from message where metadata::text like '%blätter.png%'`,
      );
      expect(row).toBeDefined();
      return row;
    });
    const files = `/workspaces/${hub.workspace.id}/conversations/${message?.conversation_id}/messages/${message?.id}/attachments`;
    const found = await hub.operate('GET', `${files}/0`);
    expect([found.statusCode, found.rawPayload]).toEqual([200, leaf]);
    expect(found.headers['content-disposition']).toContain("filename*=UTF-8''bl%C3%A4tter.png");
    const missing = await hub.operate('GET', `${files}/1`);
    expect([missing.statusCode, missing.json().code]).toEqual([404, 'attachment_not_found']);
  });
});

describe.skipIf(servers === null)(`two installations that write to each other${missing}`, async () => {
  if (servers === null) return;
  const { mailbox, inboxOf, send } = withServers();
  const [first, second] = [await openEmailServer(mailbox(one)), await openEmailServer(mailbox(two))];

  test('stop after one answer, and the other one notes the reason', async () => {
    await send({ from: two, to: one, subject: 'Hours', text: 'When are you open?' });
    await second.eventually(async () => expect(await second.notes()).toEqual(['parked: automatic reply']));
    expect(await first.parts()).toMatchObject([{ status: 'sent' }]);
    expect(await second.parts()).toEqual([]);
    expect(await inboxOf(one)).toHaveLength(1);
    expect(await inboxOf(two)).toHaveLength(1);
  });
});
