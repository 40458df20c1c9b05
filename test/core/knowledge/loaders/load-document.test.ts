import { describe, expect, test } from 'vitest';
import { documentFixture, loadAs } from '../../../helpers/documents/load-as.ts';
import { makeArchive } from '../../../helpers/documents/make-archive.ts';
import { processorMs } from '../../../helpers/processor-ms.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const textOf = async (document: ReturnType<typeof loadAs>): Promise<string> =>
  (await document).blocks.map((block) => block.text).join('\n');

describe('the bytes determine the format', () => {
  test.each([
    ['notes.txt', 'text/plain'],
    ['notes.md', 'text/markdown'],
    ['scan.docx', 'application/octet-stream'],
  ])('a PDF called %s (%s) is read as PDF', async (fileName, contentType) => {
    const document = await loadAs({ fileName, contentType }, documentFixture('handbook.pdf'));
    expect(document.title).toBe('Returns handbook');
  });

  test('a Word document declared as plain text is read as Word', async () => {
    const document = await loadAs({ contentType: 'text/plain' }, documentFixture('handbook.docx'));
    expect(document.title).toBe('Returns handbook');
  });

  test('a PDF after lines of a mail gateway is read', async () => {
    const junk = Buffer.from('\u0000\u0001\u0002gateway\u0000\n');
    const document = await loadAs(
      { fileName: 'a.pdf' },
      Buffer.concat([junk, documentFixture('hyphens.pdf')]),
    );
    expect(document.blocks.length).toBeGreaterThan(0);
  });

  test('a complete HTML page named as a text file is read as HTML', async () => {
    const page = '<!doctype html><title>Opening hours</title><p>Open from <b>eight</b> to six.';
    const document = await loadAs({ fileName: 'page.txt', contentType: 'text/plain' }, page);
    expect(document).toMatchObject({ title: 'Opening hours', blocks: [{ text: 'Open from eight to six.' }] });
  });

  test.each([
    [
      'sound.md',
      Buffer.from('ID3\u0003\u0000\u0000\u0000\u0000\u0000\u0000\u00ff\u00fb', 'latin1'),
      /^This MP3 audio cannot be read/,
    ],
    [
      'rubbish.txt',
      Uint8Array.from({ length: 4000 }, (_, index) => (index * 7919) % 251),
      /This type of file cannot be read/,
    ],
    [
      'mail.msg',
      Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from('__substg1.0_0037001F', 'utf16le')]),
      /Outlook message/,
    ],
    ['logo.txt', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><text>x</text></svg>'), /XML/],
  ])('%s is refused with the name of its format', async (fileName, bytes, reason) => {
    await expect(loadAs({ fileName }, bytes)).rejects.toMatchObject({
      code: 'unsupported_format',
      reason: expect.stringMatching(reason),
    });
  });

  test.each([
    ['xl/workbook.bin', /binary Excel workbook/],
    ['META-INF/manifest.xml', /OpenDocument/],
    ['Index/Document.iwa', /iWork/],
    ['holiday.jpg', /ZIP archive/],
  ])('an archive with %s named .docx is refused with the name of its format', async (entry, reason) => {
    const bytes = await makeArchive({ [entry]: 'x' });
    await expect(loadAs({ fileName: 'letter.docx' }, bytes)).rejects.toMatchObject({
      code: 'unsupported_format',
      reason: expect.stringMatching(reason),
    });
  });

  test('a picture named as text holds a picture instead of text', async () => {
    await expect(loadAs({ fileName: 'picture.md' }, PNG)).rejects.toMatchObject({ code: 'no_text_layer' });
  });

  test.each([
    ['OpenDocument graphics', 'application/vnd.oasis.opendocument.graphics'],
    ['OpenDocument chart', 'application/vnd.oasis.opendocument.chart'],
  ])('an %s is refused with the name of its format', async (what, mimetype) => {
    const bytes = await makeArchive({ mimetype, 'META-INF/manifest.xml': '<x/>', 'content.xml': '<x/>' });
    await expect(loadAs({ fileName: 'a.odt' }, bytes)).rejects.toMatchObject({
      code: 'unsupported_format',
      reason: expect.stringContaining(what),
    });
  });

  test.each(['report.pdf', 'report.docx', 'prices.xlsx', 'talk.pptx', 'book.epub', 'letter.odt', 'scan.png'])(
    'text named %s is refused',
    async (fileName) => {
      await expect(loadAs({ fileName }, 'Please sign in to download.')).rejects.toMatchObject({
        code: 'wrong_format',
      });
    },
  );

  test.each([
    ['WordDocument', /old Word document \(\.doc\).*save it as \.docx/],
    ['Workbook', /old Excel workbook \(\.xls\)/],
    ['PowerPoint Document', /old PowerPoint presentation \(\.ppt\)/],
    ['', /Office 97-2003/],
  ])('an old Office file with the stream "%s" is refused with what to do', async (stream, reason) => {
    const bytes = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from(stream, 'utf16le')]);
    await expect(loadAs({ fileName: 'old.doc' }, bytes)).rejects.toMatchObject({
      code: 'old_office_format',
      reason: expect.stringMatching(reason),
    });
  });

  test('an encrypted Office document is distinguished from an old one', async () => {
    const container = Buffer.concat([
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.alloc(100),
      Buffer.from('EncryptedPackage', 'utf16le'),
    ]);
    await expect(loadAs({ fileName: 'plan.docx' }, container)).rejects.toMatchObject({
      code: 'encrypted_file',
    });
  });
});

describe('the declaration decides between text dialects', () => {
  const source = '# Fees\n\nDelivery is **free**.';

  test.each([
    ['Markdown by its name', { fileName: 'a.md', contentType: 'text/plain' }, 'Delivery is free.'],
    [
      'Markdown by its type',
      { fileName: 'a', contentType: 'text/markdown; charset=utf-8' },
      'Delivery is free.',
    ],
    ['text by its type', { contentType: 'text/plain' }, '# Fees\nDelivery is **free**.'],
    ['Markdown by its looks', {}, 'Delivery is free.'],
  ])('%s', async (_, declared, text) => {
    expect(await textOf(loadAs(declared, source))).toBe(text);
  });

  test('text declared as HTML that has no tags keeps its paragraphs', async () => {
    const { blocks } = await loadAs({ contentType: 'text/html' }, 'One.\n\nTwo.');
    expect(blocks.map((block) => block.text)).toEqual(['One.', 'Two.']);
  });
});

describe('encodings', () => {
  const german = 'Größe und Straße: die Rücksendung ist für alle Käufer kostenlos.';
  const latin1 = Buffer.from(german, 'latin1');
  /** 配送には三日かかります。返品は三十日以内です。 */
  const japanese = Buffer.from(
    '947a919782c982cd8e4f93fa82a982a982e882dc82b7814295d4956982cd8e4f8f5c93fa88c893e082c582b78142',
    'hex',
  );

  test.each([
    ['UTF-8 with a mark', Buffer.from(`\ufeff${german}`), german],
    ['UTF-16 with a mark', Buffer.from(`\ufeff${german}`, 'utf16le'), german],
    ['UTF-16 without a mark', Buffer.from(german, 'utf16le'), german],
    ['big-endian UTF-16', Buffer.from(`\ufeff${german}`, 'utf16le').swap16(), german],
    ['undeclared Latin-1', latin1, german],
    ['UTF-8 cut off within a letter', Buffer.from(`${german} ü`).subarray(0, -1), german],
  ])('decodes %s', async (_, bytes, text) => {
    expect(await textOf(loadAs({ fileName: 'a.txt' }, bytes))).toBe(text);
  });

  test('a declared encoding is used if the bytes are valid in it', async () => {
    const text = await textOf(loadAs({ contentType: 'text/plain; charset=Shift_JIS' }, japanese));
    expect(text).toMatch(/^配送/);
  });

  test('Shift_JIS is recognised without a declaration', async () => {
    expect(await textOf(loadAs({ fileName: 'a.txt' }, japanese))).toMatch(/^配送/);
  });

  test('a wrong declaration does not override valid UTF-8', async () => {
    expect(await textOf(loadAs({ contentType: 'text/plain; charset=iso-8859-1' }, german))).toBe(german);
  });

  test('the encoding stated in a page is used', async () => {
    const page = Buffer.from(`<html><meta charset="windows-1251"><p>${'x'.repeat(10)}`, 'latin1');
    const bytes = Buffer.concat([page, Buffer.from([0xc4, 0xe0])]);
    expect(await textOf(loadAs({ fileName: 'a.html' }, bytes))).toBe('xxxxxxxxxxДа');
  });

  test('control, zero-width and direction characters are removed', async () => {
    expect(
      await textOf(loadAs({ fileName: 'a.txt' }, 'Re\u00adturns\u200b are\u0000 \u202efree\u{e0041}.')),
    ).toBe('Returns are free.');
  });
});

describe('limits', () => {
  test('an empty file is refused as empty', async () => {
    await expect(loadAs({ fileName: 'a.txt' }, '')).rejects.toMatchObject({ code: 'empty_file' });
  });

  test.each(['a.txt', 'a.md', 'a.html', 'a.csv'])(
    '%s with only white space has no text',
    async (fileName) => {
      await expect(loadAs({ fileName }, ' \n\n \t\n')).rejects.toMatchObject({ code: 'no_text' });
    },
  );

  test('a text of 200 MB is refused before it is parsed', async () => {
    const text = new Uint8Array(200 * 2 ** 20);
    const refusal = { code: 'too_large', reason: expect.stringContaining('25 MB') };
    const readMs = await processorMs(() =>
      expect(loadAs({ fileName: 'a.txt' }, text)).rejects.toMatchObject(refusal),
    );
    expect(readMs).toBeLessThan(500);
  });

  test.each([
    ['a.txt', 'word '.repeat(300)],
    ['a.md', 'word '.repeat(300)],
    ['a.html', `<p>${'word '.repeat(300)}`],
    ['a.csv', `a,b\n${'word,word\n'.repeat(200)}`],
    ['a.pdf', documentFixture('handbook.pdf')],
    ['a.docx', documentFixture('handbook.docx')],
  ])('%s with more text than allowed is refused', async (fileName, content) => {
    await expect(loadAs({ fileName }, content, { maxTextCharacters: 300 })).rejects.toMatchObject({
      code: 'too_much_text',
    });
  });
});
