import { describe, expect, test } from 'vitest';
import { loadAs } from '../../../../helpers/documents/load-as.ts';
import { makeEpub } from '../../../../helpers/documents/make-texts.ts';

const read = async (bytes: Promise<Uint8Array>) => loadAs({ fileName: 'book.epub' }, await bytes);
const page = (body: string): string =>
  `<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script src="a.js"/></head><body>${body}</body></html>`;

test('pages are read in the order of the spine, under the title of the book', async () => {
  const { title, blocks } = await read(
    makeEpub(
      {
        'z one.xhtml': { xhtml: page('<h1>Sending</h1><p>Use the <a id="x"/>box.</p>') },
        'nav.xhtml': { xhtml: page('<nav><ol><li>Sending</li></ol></nav>'), properties: 'nav' },
        'a-two.xhtml': {
          xhtml: page(
            '<h1>Fees</h1><table><tr><th>Country</th><th>Fee</th></tr><tr><td>Norway</td><td>9</td></tr></table><ul><li>one<ul><li>two</li></ul></li></ul>',
          ),
        },
      },
      'Returns handbook',
    ),
  );
  expect(title).toBe('Returns handbook');
  expect(blocks).toMatchObject([
    { headings: ['Sending'], kind: 'paragraph', text: 'Use the box.' },
    { headings: ['Fees'], kind: 'table', text: 'Country: Norway; Fee: 9' },
    { headings: ['Fees'], kind: 'list', text: '- one\n  - two' },
  ]);
});

describe('damaged and hostile files', () => {
  test('a protected book is refused as encrypted, one with obfuscated fonts is read', async () => {
    const encryption = (algorithm: string): string =>
      `<encryption><EncryptedData><EncryptionMethod Algorithm="${algorithm}"/></EncryptedData></encryption>`;
    const book = (algorithm: string): Promise<Uint8Array> =>
      makeEpub({ 'a.xhtml': { xhtml: page('<p>Text.') } }, 'A book', {
        'META-INF/encryption.xml': encryption(algorithm),
      });
    await expect(read(book('http://www.w3.org/2001/04/xmlenc#aes256-cbc'))).rejects.toMatchObject({
      code: 'encrypted_file',
    });
    expect(await read(book('http://www.idpf.org/2008/embedding'))).toMatchObject({
      blocks: [{ text: 'Text.' }],
    });
  });

  test('a spine that repeats a page or leaves the archive reads each page once', async () => {
    const opf = `<package><manifest><item id="a" href="text/a.xhtml" media-type="application/xhtml+xml"/><item id="b" href="../../../etc/passwd" media-type="application/xhtml+xml"/></manifest><spine>${'<itemref idref="a"/><itemref idref="b"/>'.repeat(1000)}</spine></package>`;
    const { blocks } = await read(
      makeEpub({ 'a.xhtml': { xhtml: page('<p>Once.') } }, '', { 'OEBPS/book.opf': opf }),
    );
    expect(blocks.map(({ text }) => text)).toEqual(['Once.']);
  });

  test('a container that names no book is refused as damaged', async () => {
    await expect(read(makeEpub({}, '', { 'META-INF/container.xml': '<container/>' }))).rejects.toMatchObject({
      code: 'corrupt_file',
      what: 'This EPUB book',
    });
  });

  test('entities that a page declares are not expanded', async () => {
    const xhtml = '<!DOCTYPE html [<!ENTITY a "aaaa">]><html><body><p>x&a;</p></body></html>';
    expect((await read(makeEpub({ 'a.xhtml': { xhtml } }, ''))).blocks[0]?.text).not.toContain('aaaa');
  });

  test('deeply nested pages are refused', async () => {
    const xhtml = page('<div>'.repeat(20_000));
    await expect(read(makeEpub({ 'a.xhtml': { xhtml } }, ''))).rejects.toMatchObject({
      code: 'nested_too_deeply',
    });
  });

  test('a page that unpacks to more than allowed is refused before it is unpacked', async () => {
    const bytes = await makeEpub({ 'a.xhtml': { xhtml: ' '.repeat(2 * 2 ** 20) } }, '');
    await expect(loadAs({ fileName: 'a.epub' }, bytes, { maxUnpackedBytes: 2 ** 20 })).rejects.toMatchObject({
      code: 'expands_too_far',
    });
  });
});
