import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { normalise } from '../../../connectors/email/normalise.ts';
import { emailAccount } from '../../helpers/platforms/email/account.ts';
import { mailOf, mailReader } from '../../helpers/platforms/email/read-mail.ts';
import { peersFile } from '../../helpers/platforms/peers-file.ts';

const account = emailAccount();
const folder = peersFile('payloads/email');
const missing = folder === null ? ' (skipped: PEERS_DIR is not set)' : '';

/** The expected content of each mail, with its charset and file names decoded. */
const expected: Readonly<
  Record<string, { says?: readonly string[]; files?: readonly string[]; parked?: string }>
> = {
  'attachment_content_disposition.eml': { says: ['This is the first part.'], files: ['api.rb'] },
  'attachment_message_rfc822.eml': { says: ['This is the first part.'] },
  'attachment_nonascii_filename.eml': { says: ['This is the first part.'], files: ['ciële.txt'] },
  'attachment_only_email.eml': { says: ['this message JUST contains an attachment'], files: ['blah.gz'] },
  'attachment_with_base64_encoded_name.eml': {
    says: ['We should not include these files or vcards as attachments.', 'Forwarded message'],
  },
  'attachment_with_encoded_name.eml': { says: ['We should not include these files', 'Forwarded message'] },
  'email_with_similar_boundaries.eml': { says: ['Test'] },
  'japanese.eml': { says: ['まみむめも', 'かきくえこ'] },
  'japanese_attachment_long_name.eml': {},
  'japanese_iso_2022.eml': { says: ['すみません。'] },
  'japanese_shift_jis.eml': { says: ['あいうえお'] },
  'ks_c_5601-1987.eml': { says: ['스티해'] },
  'missing_body.eml': { says: ['REDACTED'] },
  'multipart_report_multiple_status.eml': { parked: 'message of a mail server' },
  'multiple_content_types.eml': { says: ['foo'] },
  'multiple_references_with_one_invalid.eml': { says: ['foo'] },
  'raw_email2.eml': {},
  'raw_email7.eml': { says: ['This is the first part.'], files: ['test.rb', 'test.pdf'] },
  'raw_email_reply.eml': {},
  'raw_email_with_illegal_boundary.eml': {},
  'raw_email_with_nested_attachment.eml': { says: ['Here is a test of an attachment via email.'] },
  'report_422.eml': { parked: 'message of a mail server' },
  'report_530.eml': { parked: 'message of a mail server' },
  'sig_only_email.eml': { says: ['This is random text, not what has been signed below'] },
  'two_from_in_message.eml': {},
  'utf8_headers.eml': { says: ['body', 'Säying Hello'] },
};

describe.skipIf(folder === null)(`recorded mails${missing}`, () => {
  const files = folder === null ? [] : readdirSync(folder);

  test('checks every mail', () => {
    expect(files.toSorted()).toEqual(Object.keys(expected).toSorted());
  });

  test.each(files)('reads %s without loss', async (file) => {
    const delivery = await mailReader(account).read(readFileSync(join(folder ?? '', file)));
    expect(JSON.parse(JSON.stringify(delivery?.native))).toEqual(delivery?.native);
    const [event] = normalise(delivery?.native ?? null, account);
    if (event?.type !== 'message') throw new TypeError(`no message but ${event?.type}`);
    const wanted = expected[file] ?? {};
    for (const words of wanted.says ?? []) expect(event.text).toContain(words);
    const names = event.attachments.map(({ name }) => name);
    for (const name of wanted.files ?? []) expect(names).toContain(name);
    expect(event.parked ?? null).toBe(wanted.parked ?? null);
    expect(event.text).not.toBe('');
    expect(event.text).not.toMatch(/\ufffd|=[0-9A-F]{2}=[0-9A-F]{2}/);
  });

  test('puts a reply into the thread of its original', async () => {
    const reader = mailReader(account);
    const reply = mailOf(
      await mailReader(account).read(readFileSync(join(folder ?? '', 'raw_email_reply.eml'))),
    );
    const [parent = ''] = reply.inReplyTo;
    const first = await reader.read(
      `From: ${reply.from?.address}\nMessage-ID: <${parent}>\nSubject: ${reply.subject}\n\nFirst`,
    );
    const answer = await reader.read(readFileSync(join(folder ?? '', 'raw_email_reply.eml')));
    expect(parent).not.toBe('');
    expect(mailOf(answer)).toMatchObject({ lane: mailOf(first).lane, begins: false });
  });

  test('reads the other ids if some are malformed', async () => {
    const mail = mailOf(
      await mailReader(account).read(
        readFileSync(join(folder ?? '', 'multiple_references_with_one_invalid.eml')),
      ),
    );
    expect(mail.references).toEqual(expect.arrayContaining(['foo@bar.net', 'baz@bar.net']));
  });
});

describe('charsets', () => {
  const of = (charset: string, ...bytes: readonly number[]) => [charset, bytes] as const;
  test.each([
    [...of('iso-8859-1', 0x66, 0xfc, 0x72), 'für'],
    [...of('windows-1252', 0x80, 0x20, 0x93, 0x94), '€ “”'],
    [...of('iso-8859-2', 0xb3, 0xf3, 0x64, 0xbc), 'łódź'],
    [...of('koi8-r', 0xf0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4), 'Привет'],
    [...of('windows-1251', 0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2), 'Привет'],
    [...of('gb2312', 0xc4, 0xe3, 0xba, 0xc3), '你好'],
    [...of('big5', 0xa7, 0x41, 0xa6, 0x6e), '你好'],
    [...of('euc-kr', 0xbe, 0xc8, 0xb3, 0xe7), '안녕'],
    [...of('shift_jis', 0x82, 0xa0), 'あ'],
    [...of('iso-2022-jp', 0x1b, 0x24, 0x42, 0x24, 0x22, 0x1b, 0x28, 0x42), 'あ'],
    [...of('utf-8', 0xf0, 0x9f, 0x8d, 0x8b), '🍋'],
    [...of("'utf-8'", 0xf0, 0x9f, 0x8d, 0x8b), '🍋'],
    [...of('utf-7', ...Buffer.from('Hi Mom -+Jjo--!')), 'Hi Mom -+Jjo--!'],
    [...of('no-such-charset', 0x66, 0xfc, 0x72), 'für'],
  ])('reads %s (%j) as %s', async (charset, bytes, text) => {
    const head = `From: a@lind.example\r\nSubject: Re: x\r\nContent-Type: text/plain; charset=${charset}\r\nContent-Transfer-Encoding: 8bit\r\n\r\n`;
    const delivery = await mailReader(account).read(Buffer.concat([Buffer.from(head), Buffer.from(bytes)]));
    expect(normalise(delivery?.native ?? null, account)).toMatchObject([{ text }]);
  });

  test.each([
    ['undeclared Latin', 'text/plain', 'für alle Fälle und schöne Grüße aus Köln'],
    ['Latin that is called UTF-8', 'text/plain; charset=utf-8', 'für alle Fälle und schöne Grüße aus Köln'],
  ])('reads %s correctly', async (_name, type, text) => {
    const head = `From: a@lind.example\r\nSubject: Re: x\r\nContent-Type: ${type}\r\nContent-Transfer-Encoding: 8bit\r\n\r\n`;
    const delivery = await mailReader(account).read(Buffer.from(head + text, 'latin1'));
    expect(normalise(delivery?.native ?? null, account)).toMatchObject([{ text }]);
  });

  test('reads UTF-8 that is declared as ASCII', async () => {
    const head =
      'From: a@lind.example\r\nSubject: Re: x\r\nContent-Type: text/plain; charset=us-ascii\r\n\r\n';
    const delivery = await mailReader(account).read(Buffer.from(`${head}für 🍋`));
    expect(normalise(delivery?.native ?? null, account)).toMatchObject([{ text: 'für 🍋' }]);
  });

  test('removes characters that the database cannot store', async () => {
    const delivery = await mailReader(account).read(
      Buffer.from('From: a@lind.example\r\nSubject: Re: x\r\n\r\na\u0000b'),
    );
    expect(normalise(delivery?.native ?? null, account)).toMatchObject([{ text: 'ab' }]);
  });
});
