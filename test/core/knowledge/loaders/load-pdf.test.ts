import { describe, expect, test } from 'vitest';
import type { LoadedDocument } from '../../../../core/knowledge/loaders/loader.ts';
import { documentFixture, loadAs } from '../../../helpers/documents/load-as.ts';
import { makePdf } from '../../../helpers/documents/make-pdf.ts';

const load = (name: string): Promise<LoadedDocument> => loadAs({ fileName: name }, documentFixture(name));

test('yields the same headings, lists and tables as the Word document of the same content', async () => {
  const pdf = await load('handbook.pdf');
  const word = await load('handbook.docx');
  const withoutPlaces = pdf.blocks.map(({ place, ...block }) => {
    expect(place).toEqual({ kind: 'page', from: 1, to: 1 });
    return block;
  });
  expect({ ...pdf, blocks: withoutPlaces }).toEqual(word);
});

test('running headers and page numbers are omitted', async () => {
  const { title, blocks } = await load('running-lines.pdf');
  const text = blocks.map((block) => block.text).join('\n');
  expect(title).toBe('Customer handbook');
  expect(text).not.toMatch(/Juniper Cycles customer handbook|Page \d/);
  expect(new Set(blocks.map(({ headings }) => headings.join('/')))).toEqual(
    new Set(['Opening hours', 'Servicing', 'Warranty']),
  );
});

test('a paragraph over several lines becomes one block', async () => {
  const { blocks } = await load('running-lines.pdf');
  expect(blocks[0]?.text).toBe(
    'The workshop in Harbour Street opens at eight in the morning from Monday to Friday and closes at six in the evening. On Saturdays it opens at ten and closes at two in the afternoon. On Sundays and on public holidays it stays closed.',
  );
});

test('two columns are read in order, with bold lines as headings', async () => {
  const { blocks } = await load('two-columns.pdf');
  expect([...new Set(blocks.map(({ headings }) => headings.join('/')))]).toEqual([
    'Opening hours',
    'Servicing',
    'Warranty',
  ]);
  expect(blocks.at(-1)).toMatchObject({
    kind: 'table',
    text: 'Country: Norway; Delivery: 3 days; Price: 9 pounds\nCountry: Portugal; Delivery: 5 days; Price: 14 pounds',
  });
});

test('hyphens at line ends are removed, except in hyphenated words', async () => {
  const { blocks } = await load('hyphens.pdf');
  expect(blocks[0]?.text).toBe(
    'Every bicycle is delivered with a certificate of its frame number. A well-known insurer asks for it. Keep the certificate: a well-known mistake is to throw it away.',
  );
});

describe('files without readable text', () => {
  test('a scan is refused with the advice to use OCR', async () => {
    await expect(load('scan.pdf')).rejects.toMatchObject({
      code: 'no_text_layer',
      reason: expect.stringMatching(/pictures of pages.*OCR=tesseract/),
    });
  });

  test('a file with a password is refused as protected', async () => {
    await expect(load('encrypted.pdf')).rejects.toMatchObject({ code: 'encrypted_file' });
  });

  test('a file with only the signature of a PDF is refused as damaged', async () => {
    await expect(loadAs({ fileName: 'a.pdf' }, '%PDF-1.7\nrubbish')).rejects.toMatchObject({
      code: 'corrupt_file',
    });
  });

  test('a truncated file is refused or yields its readable part', async () => {
    const cut = documentFixture('handbook.pdf').subarray(0, 3000);
    await expect(loadAs({ fileName: 'a.pdf' }, cut)).rejects.toMatchObject({ name: 'DocumentError' });
  });

  test('more pages than allowed are refused', async () => {
    await expect(loadAs({}, documentFixture('running-lines.pdf'), { maxPdfPages: 2 })).rejects.toMatchObject({
      code: 'too_many_pages',
    });
  });
});

test('stamps across the page are omitted', async () => {
  const stamp = 'BT /F 60 Tf 0.7 0.7 -0.7 0.7 100 100 Tm (DRAFT) Tj ET';
  const bytes = makePdf(`BT /F 12 Tf 50 700 Td (Frames carry a warranty of ten years.) Tj ET ${stamp}`);
  expect((await loadAs({}, bytes)).blocks.map(({ text }) => text)).toEqual([
    'Frames carry a warranty of ten years.',
  ]);
});
