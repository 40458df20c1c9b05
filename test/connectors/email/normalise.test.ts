import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatMessageId } from '../../../connectors/email/identifiers.ts';
import { normalise } from '../../../connectors/email/normalise.ts';
import { emailAccount } from '../../helpers/platforms/email/account.ts';
import { mailReader } from '../../helpers/platforms/email/read-mail.ts';

const account = emailAccount();
const lane = '0123456789abcdef0123';
const ours = formatMessageId(lane, 'an answer', account);
let last = 0;

/** Returns a mail with these headers instead of the defaults. */
function mail(headers: Readonly<Record<string, string>> = {}, body = 'When are you open?'): string {
  last += 1;
  const usual = {
    From: 'Anna Lind <anna@lind.example>',
    To: 'help@shop.example',
    Subject: 'A question',
    'Message-ID': `<${last}@lind.example>`,
    Date: 'Mon, 21 Sep 2026 12:00:00 +0000',
  };
  const lines = Object.entries({ ...usual, ...headers }).map(([name, value]) => `${name}: ${value}`);
  return `${lines.join('\n')}\n\n${body}`;
}

async function eventsOf(source: string | Uint8Array, recipient = account) {
  const delivery = await mailReader(recipient).read(source);
  return delivery === null ? [] : normalise(delivery.native, recipient);
}

async function messageOf(source: string | Uint8Array, recipient = account) {
  const [event] = await eventsOf(source, recipient);
  if (event?.type !== 'message') throw new TypeError(`no message but ${event?.type}`);
  return event;
}

describe('a mail of a person', () => {
  test('becomes a message with its subject, which often contains the question', async () => {
    const message = await messageOf(mail());
    expect(message).toMatchObject({
      text: 'A question\n\nWhen are you open?',
      addressed: true,
      sender: { id: 'anna@lind.example', name: 'Anna Lind', email: null, kind: 'person' },
      conversation: { address: { to: 'anna@lind.example', subject: 'A question' } },
    });
    expect(await messageOf(mail({ Subject: 'when are you open' }))).toMatchObject({
      text: 'When are you open?',
    });
    expect(await messageOf(mail({ Subject: 'Re: A question' }))).toMatchObject({
      text: 'When are you open?',
    });
  });

  test('is answered at its Reply-To address', async () => {
    const form = await messageOf(
      mail({ From: 'Shop <help@shop.example>', 'Reply-To': 'Eva <eva@berg.example>' }),
    );
    expect(form).toMatchObject({
      sender: { id: 'eva@berg.example', kind: 'person', email: null },
      conversation: { address: { to: 'eva@berg.example' } },
    });
    const asked = await messageOf(mail({ 'Reply-To': 'help@shop.example, other@lind.example' }));
    expect(asked.conversation.address).toMatchObject({ to: 'other@lind.example' });
  });

  test('lists its files and inline images without fetching them', async () => {
    const body = [
      '--b',
      'Content-Type: text/plain',
      '',
      'See the picture.',
      '--b',
      'Content-Type: image/png; name="a.png"',
      'Content-ID: <a>',
      'Content-Disposition: inline',
      'Content-Transfer-Encoding: base64',
      '',
      'aGVsbG8=',
      '--b',
      'Content-Type: application/pkcs7-signature',
      '',
      'x',
      '--b--',
    ].join('\n');
    const message = await messageOf(mail({ 'Content-Type': 'multipart/mixed; boundary=b' }, body));
    expect(message.attachments).toEqual([
      {
        kind: 'image',
        name: 'a.png',
        contentType: 'image/png',
        bytes: 5,
        reference: expect.stringMatching(/^1\/\d+\/n0$/),
        incidental: true,
      },
    ]);
  });

  test.each([
    ['a logo', { type: 'image/png', disposition: 'inline', bytes: 9_000 }, true],
    ['a screenshot within the text', { type: 'image/png', disposition: 'inline', bytes: 60_000 }, undefined],
    [
      'a small picture that was attached',
      { type: 'image/png', disposition: 'attachment', bytes: 900 },
      undefined,
    ],
    ['a business card', { type: 'text/vcard', disposition: 'attachment', bytes: 900 }, true],
    ['a document', { type: 'application/pdf', disposition: 'inline', bytes: 900 }, undefined],
  ])('%s is classified correctly', async (_, { type, disposition, bytes }, incidental) => {
    const body = [
      ...['--b', 'Content-Type: text/plain', '', 'Hello.', '--b', `Content-Type: ${type}; name="a"`],
      ...[`Content-Disposition: ${disposition}`, 'Content-Transfer-Encoding: base64', ''],
      ...[Buffer.alloc(bytes).toString('base64'), '--b--'],
    ].join('\n');
    const message = await messageOf(mail({ 'Content-Type': 'multipart/mixed; boundary=b' }, body));
    expect(message.attachments.map((file) => file.incidental)).toEqual([incidental]);
  });
});

describe('an invitation', () => {
  test('becomes a message with its description if the mail contains nothing else', async () => {
    const message = await messageOf(emailFixture('invitation', ours));
    expect(message.text).toBe(
      'Visit\n\nMay we look at the pots together?\nIt takes half an hour, not more.\nVisit\nYour shop in Malmö',
    );
    expect(message.parked ?? null).toBeNull();
    expect(message.attachments).toMatchObject([{ contentType: 'text/calendar' }]);
  });

  test('gets no answer if it is the acceptance of an invitation', async () => {
    expect(await messageOf(emailFixture('invitation-accepted', ours))).toMatchObject({
      parked: 'reply to an invitation',
    });
  });
});

test('keeps the first and the last of very many references, which identify the thread', async () => {
  const ids = Array.from({ length: 10_000 }, (_, index) => `ref-${index}@lind.example`);
  const References = ids.map((id) => `<${id}>`).join('\n ');
  const { conversation } = await messageOf(mail({ Subject: 'Re: A question', References }));
  expect(conversation.address).toMatchObject({
    references: ['ref-0@lind.example', ...ids.slice(-99), expect.stringMatching(/^\d+@lind\.example$/)],
  });
});

describe('mails that get no answer', () => {
  test.each<[string, Record<string, string>]>([
    ['automatic reply', { 'Auto-Submitted': 'auto-replied' }],
    ['automatic reply', { 'Auto-Submitted': 'Auto-Replied (vacation)' }],
    ['automatic message', { 'Auto-Submitted': 'auto-generated' }],
    ['automatic reply', { 'X-Autoreply': 'yes' }],
    ['automatic reply', { Subject: 'Automatische Antwort: Öffnungszeiten' }],
    ['automatic reply', { Subject: 'Out of Office AutoReply: Hours' }],
    ['automatic reply', { Subject: 'Automatisk svar: Åpningstider' }],
    ['automatic reply', { Subject: '自动回复: 营业时间' }],
    ['automatic reply', { Subject: 'Автоматический ответ: часы' }],
    ['automatic reply', { Subject: 'Réponse automatique : horaires' }],
    ['mailing list', { 'List-Id': '<a.list.example>' }],
    ['mailing list', { 'List-Unsubscribe': '<https://list.example/u>' }],
    ['mailing list', { Precedence: 'list' }],
    ['bulk mail', { Precedence: 'bulk' }],
    ['bulk mail', { Precedence: 'junk' }],
    ['message of a mail server', { 'Return-Path': '<>' }],
    ['message of a mail server', { From: 'MAILER-DAEMON@lind.example' }],
    ['message of a mail server', { From: 'Postmaster <postmaster@lind.example>' }],
    [
      'report of a mail program',
      { 'Content-Type': 'multipart/report; report-type=disposition-notification; boundary=x' },
    ],
    ['no-reply sender', { From: 'no-reply@lind.example' }],
    ['no-reply sender', { From: 'noreply+123@lind.example' }],
    ['mail without a sender', { From: '' }],
  ])('%s: %j', async (because, headers) => {
    expect(await messageOf(mail(headers))).toMatchObject({ parked: because, sender: { kind: 'machine' } });
  });

  test.each<Record<string, string>>([
    { 'Auto-Submitted': 'no' },
    { From: 'no-reply@lind.example', 'Reply-To': 'anna@lind.example' },
    { Precedence: 'normal' },
    { 'X-Autoreply': 'no' },
    { 'X-Auto-Response-Suppress': 'DR, RN' },
    { From: 'norepl@lind.example' },
    { Subject: 'Out of office supplies: do you have pens?' },
  ])('but %j is a person', async (headers) => {
    expect((await messageOf(mail(headers))).parked ?? null).toBeNull();
  });

  test('a mail that suppresses automatic replies is given to an agent', async () => {
    expect(await messageOf(mail({ 'X-Auto-Response-Suppress': 'DR, OOF, AutoReply' }))).toMatchObject({
      parked: 'asks for no automatic answer',
      command: 'human',
      sender: { kind: 'person' },
    });
  });

  test('recognises our own mail, wherever it comes back from', async () => {
    expect(await messageOf(mail({ From: 'HELP+x@shop.example' }))).toMatchObject({
      sender: { kind: 'self' },
    });
    const list = mail({ From: 'list@lind.example', 'Message-ID': `<${ours}>`, 'List-Id': '<a>' });
    expect(await messageOf(list)).toMatchObject({ sender: { kind: 'self' } });
    const alias = emailAccount({ settings: { aliases: ['anna@lind.example'] } });
    expect(await messageOf(mail(), alias)).toMatchObject({ sender: { kind: 'self' } });
  });

  test('does not accept a forged Message-ID as ours', async () => {
    const forged = ours.replace(/^(.{21})./, '$1f').replace(/f@/, '0@');
    expect(await messageOf(mail({ 'Message-ID': `<${forged}>` }))).toMatchObject({
      sender: { kind: 'person' },
    });
    const other = formatMessageId(lane, 'x', emailAccount({ secret: 'another' }));
    expect(await messageOf(mail({ 'Message-ID': `<${other}>` }))).toMatchObject({
      sender: { kind: 'person' },
    });
  });
});

describe('reports of mail servers', () => {
  test.each([
    ['bounce-postfix', '550 5.1.1 <anna@lind.example>: Recipient address rejected: User unknown'],
    ['bounce-exim', '550 No such user here'],
    ['bounce-qmail', 'Sorry, no mailbox here by that name. (#5.1.1)'],
    ['bounce-exchange', expect.stringMatching(/^554 5\.2\.2 mailbox full/)],
    ['bounce-workmail', '554 5.4.14 Hop count exceeded - possible mail loop'],
    ['bounce-gmail', '550-5.1.1 The email account that you tried to reach does not exist.'],
  ])("%s sets the mail to failed, with the server's reason", async (name, because) => {
    expect(await eventsOf(emailFixture(name, ours))).toEqual([
      { type: 'delivery-reported', messageId: ours, outcome: 'failed', because },
    ]);
  });

  test('are in the lane of the reported mail', async () => {
    expect(await mailReader(account).read(emailFixture('bounce-exim', ours))).toMatchObject({
      lane: expect.any(String),
    });
    expect(await mailReader(account).read(emailFixture('bounce-postfix', ours))).toMatchObject({ lane });
  });

  test('do not fail a delayed mail, or the mail of another sender', async () => {
    expect(await messageOf(emailFixture('delay-postfix', ours))).toMatchObject({
      parked: 'message of a mail server',
    });
    const other = await messageOf(emailFixture('bounce-postfix', 'somebody@else.example'));
    expect(other).toMatchObject({ parked: 'message of a mail server' });
  });

  test("are not recognised in a person's mail that quotes ours", async () => {
    const text = `550 5.1.1 is what I saw.\n\n> Message-ID: <${ours}>`;
    expect(await messageOf(mail({ 'In-Reply-To': `<${ours}>` }, text))).toMatchObject({
      sender: { kind: 'person' },
    });
  });
});

describe('only our own mail host verifies an address', () => {
  const verified = emailAccount({ settings: { authserv_id: 'mx.shop.example' } });
  const emailOf = async (results: string, recipient = verified, more: Record<string, string> = {}) =>
    (await messageOf(mail({ 'Authentication-Results': results, ...more }), recipient)).sender.email;
  const anna = 'anna@lind.example';

  test.each([
    ['mx.shop.example; dkim=pass header.d=lind.example header.s=a', anna],
    ['mx.shop.example; dkim=pass (2048-bit key) header.i=@lind.example', anna],
    ['mx.shop.example 1; spf=pass smtp.mailfrom=bounce@lind.example', anna],
    [
      'mx.shop.example; dkim=fail header.d=lind.example; dmarc=pass (p=reject) header.from=lind.example',
      anna,
    ],
    ['mx.shop.example; dkim=pass header.d=evil.example; spf=pass smtp.mailfrom=x@evil.example', null],
    ['mx.shop.example; dkim=fail header.d=lind.example; spf=softfail smtp.mailfrom=lind.example', null],
    ['mx.shop.example; dkim=pass header.d=sub.lind.example', null],
    ['mx.shop.example; dkim=pass header.d=example', null],
    ['mx.shop.example; dkim=none (dkim=pass header.d=lind.example)', null],
    ['mx.evil.example; dkim=pass header.d=lind.example', null],
    ['mx.shop.example.evil.example; dkim=pass header.d=lind.example', null],
    ['mx.shop.example; none', null],
  ])('%s: %s', async (results, email) => {
    expect(await emailOf(results)).toBe(email);
  });

  test('verifies no address if the name of our mail host is unknown', async () => {
    expect(await emailOf('mx.shop.example; dkim=pass header.d=lind.example', account)).toBeNull();
    expect(
      await emailOf(
        'mx.google.com; dkim=pass header.i=@lind.example',
        emailAccount({ imap: { host: 'imap.gmail.com' } }),
      ),
    ).toBe(anna);
    const microsoft = emailAccount({ imap: { host: 'outlook.office365.com' } });
    expect(
      await emailOf(
        'spf=pass (sender IP is 192.0.2.1) smtp.mailfrom=lind.example; dkim=pass header.d=lind.example',
        microsoft,
      ),
    ).toBe(anna);
    expect(await emailOf('mx.evil.example; dkim=pass header.d=lind.example', microsoft)).toBeNull();
  });

  test('reads only the topmost results of the host, and requires a single From', async () => {
    const twice = mail({ 'Authentication-Results': 'mx.shop.example; dkim=fail header.d=lind.example' });
    const forged = twice.replace(
      '\n\n',
      '\nAuthentication-Results: mx.shop.example; dkim=pass header.d=lind.example\n\n',
    );
    expect((await messageOf(forged, verified)).sender.email).toBeNull();
    const two = mail({ 'Authentication-Results': 'mx.shop.example; dkim=pass header.d=lind.example' });
    const doubled = two.replace('\n\n', '\nFrom: boss@lind.example\n\n');
    expect((await messageOf(doubled, verified)).sender.email).toBeNull();
  });

  test('does not verify a Reply-To address', async () => {
    const form = await messageOf(
      mail({
        From: 'help@shop.example',
        'Reply-To': anna,
        'Authentication-Results': 'mx.shop.example; dkim=pass header.d=shop.example',
      }),
      verified,
    );
    expect(form.sender).toMatchObject({ id: anna, email: null });
  });
});

/** A mail as a server writes it; `{{ours}}` is the mail of ours that it reports. */
function emailFixture(name: string, sent: string): string {
  const file = join(import.meta.dirname, '../../fixtures/email', `${name}.eml`);
  return readFileSync(file, 'utf8').replaceAll('{{ours}}', sent);
}
