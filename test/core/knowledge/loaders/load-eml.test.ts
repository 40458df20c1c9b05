import { describe, expect, test } from 'vitest';
import { loadAs } from '../../../helpers/documents/load-as.ts';

const HEAD = `From: Ada Berg <ada@acme.example>
To: help@acme.example
Date: Tue, 05 Mar 2024 10:00:00 +0100
Message-ID: <1@acme.example>
MIME-Version: 1.0
Subject: =?UTF-8?Q?R=C3=BCcksendung?=
`;
const read = (rest: string, fileName = 'a.eml') =>
  loadAs({ fileName }, (HEAD + rest).replaceAll('\n', '\r\n'));

test('subject, sender, date, text and names of attachments are read', async () => {
  const { title, blocks } = await read(`Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: quoted-printable

<h2>Fees</h2><table><tr><th>Country</th><th>Fee</th></tr><tr><td>Norway</td><td>=C2=A39</td></tr></table>
--b
Content-Type: application/pdf
Content-Disposition: attachment; filename="form.pdf"
Content-Transfer-Encoding: base64

JVBERi0=
--b
Content-Type: image/png
Content-Disposition: inline; filename="logo.png"
Content-Transfer-Encoding: base64

iVBORw0=
--b--
`);
  expect(title).toBe('Rücksendung');
  expect(blocks).toMatchObject([
    { headings: [], kind: 'paragraph', text: 'From: Ada Berg <ada@acme.example>, 2024-03-05' },
    { headings: ['Fees'], kind: 'table', text: 'Country: Norway; Fee: £9' },
    { text: 'Attachments: form.pdf' },
  ]);
});

test('a text is read without quoted history and signature', async () => {
  const { blocks } = await read(`
Send it within ten days.

On Monday Bo wrote:
> How long do I have?

-${'- '}
Ada Berg
`);
  expect(blocks.map(({ text }) => text)).toEqual([
    'From: Ada Berg <ada@acme.example>, 2024-03-05',
    'Send it within ten days.',
  ]);
});

test('a page is read without quoted history and signature', async () => {
  const { blocks } = await read(`Content-Type: text/html

<p>Ten days.</p><div class="gmail_quote">On Monday Bo wrote:<blockquote>How long?</blockquote></div>
<blockquote type="cite">older</blockquote>`);
  expect(blocks.map(({ text }) => text).slice(1)).toEqual(['Ten days.']);
});

test.each([
  ['text', '\n> Ten days.\n'],
  ['page', 'Content-Type: text/html\n\n<blockquote type="cite">Ten days.</blockquote>'],
])('a forwarded %s that is all quotation is read whole', async (_, rest) => {
  const { blocks } = await read(rest);
  expect(blocks.at(-1)?.text).toContain('Ten days.');
});

test('a mail named as text is read as mail, and a letter that begins like one as text', async () => {
  expect((await read('\nTen days.', 'a.txt')).title).toBe('Rücksendung');
  const letter = 'From: Ada\nTo: Bo\nSubject: Returns\n\nTen days.';
  expect(await loadAs({ fileName: 'a.txt' }, letter)).toMatchObject({
    title: null,
    blocks: [{}, { text: 'Ten days.' }],
  });
});

test('a file named .eml is a mail also without the fields that programs write', async () => {
  const mail =
    'From: Ada <ada@acme.example>\nSubject: Fees\nContent-Type: text/html\n\n<p>Nine =FC euros.</p>';
  const { title, blocks } = await loadAs({ fileName: 'a.eml' }, mail);
  expect({ title, text: blocks.at(-1)?.text }).toEqual({ title: 'Fees', text: 'Nine =FC euros.' });
  expect((await loadAs({ fileName: 'a.txt' }, mail)).title).not.toBe('Fees');
});

describe('damaged and hostile files', () => {
  test('a mail without a body keeps its sender', async () => {
    expect((await read('\n')).blocks).toHaveLength(1);
  });

  test('text named .eml is read as text', async () => {
    expect(await loadAs({ fileName: 'a.eml' }, 'Ten days.')).toMatchObject({
      blocks: [{ text: 'Ten days.' }],
    });
  });

  test('mails nested deeper than thirty are refused', async () => {
    let nested = 'Content-Type: text/plain\n\nx';
    for (let depth = 0; depth < 60; depth += 1)
      nested = `Content-Type: multipart/mixed; boundary=b${depth}\n\n--b${depth}\n${nested}\n--b${depth}--`;
    await expect(read(nested)).rejects.toMatchObject({ code: 'nested_too_deeply' });
  });

  test('20,000 parts end', async () => {
    const parts = '--b\nContent-Type: text/plain\n\nx\n'.repeat(20_000);
    await expect(read(`Content-Type: multipart/mixed; boundary=b\n\n${parts}--b--`)).resolves.toMatchObject({
      title: 'Rücksendung',
    });
  });
});

test('a mail that is named so is one without the fields that programs write', async () => {
  const mail =
    'From: ada@acme.example\r\nSubject: Fees\r\nContent-Type: text/html; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<p>The fee f=FCr Norway is 9.</p>';
  expect(await loadAs({ fileName: 'a.eml' }, mail)).toMatchObject({ title: 'Fees' });
  const { blocks } = await loadAs({ fileName: 'a.eml' }, mail);
  expect(blocks.map(({ text }) => text).join()).toContain('The fee für Norway is 9.');
  expect((await loadAs({ fileName: 'a.txt' }, mail)).blocks.map(({ text }) => text).join()).toContain(
    'f=FCr',
  );
});
