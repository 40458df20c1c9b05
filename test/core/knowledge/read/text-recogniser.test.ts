import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../../../core/config/config.ts';
import { DocumentReader } from '../../../../core/knowledge/read/document-reader.ts';
import { openTextRecogniser, TextRecogniser } from '../../../../core/knowledge/read/text-recogniser.ts';
import { documentFixture, loadAs } from '../../../helpers/documents/load-as.ts';
import { hasTesseract, makeScan, pictureOf } from '../../../helpers/documents/make-picture.ts';

const ofA = { workspaceId: 'wsp_a' };
const scratch = mkdtempSync(join(tmpdir(), 'programs-'));
const open: DocumentReader[] = [];
afterAll(async () => {
  await Promise.all(open.map((reader) => reader.close()));
  rmSync(scratch, { recursive: true });
});
const openReader = (recogniser: TextRecogniser | null): DocumentReader => {
  const reader = new DocumentReader({ threads: 1, maxHeapMb: 256, recogniser });
  open.push(reader);
  return reader;
};
const read = async (reader: DocumentReader, bytes: Uint8Array, fileName: string) =>
  (await reader.read({ bytes, contentType: null, fileName }, ofA)).document;

describe.skipIf(!hasTesseract)('with tesseract', async () => {
  const reader = hasTesseract
    ? openReader(await openTextRecogniser(readConfig({ OCR: 'tesseract' })))
    : openReader(null);
  const jpeg = hasTesseract ? pictureOf('handbook.pdf', 'jpeg') : new Uint8Array();
  const table = {
    headings: ['What it costs'],
    kind: 'table',
    text: 'Country: Norway; Collection: 3 days; Fee: £9\nCountry: Portugal; Collection: 5 days; Fee: £14\nCountry: Japan; Collection: 9 days; Fee: £41',
  };

  test.each(['png', 'jpeg', 'tiff'] as const)(
    'a %s picture is read with its headings and tables',
    async (format) => {
      const { title, blocks } = await read(reader, pictureOf('handbook.pdf', format), `scan.${format}`);
      expect(title).toBe('Returns handbook');
      expect(blocks).toContainEqual(expect.objectContaining({ kind: 'table', text: table.text }));
    },
  );

  test('a scanned PDF is read, and the pages with text of a mixed one stay as they are', async () => {
    const { blocks } = await read(reader, makeScan([null, jpeg], 'Ask the shop for this form.'), 'scan.pdf');
    expect(blocks[0]?.text).toBe('Ask the shop for this form.');
    expect(blocks).toContainEqual(expect.objectContaining({ kind: 'table', text: table.text }));
  });

  test('a PDF with text on all pages is read as without OCR', async () => {
    const bytes = documentFixture('handbook.pdf');
    expect(await read(reader, bytes, 'a.pdf')).toEqual(await loadAs({ fileName: 'a.pdf' }, bytes));
  });

  test('a picture without text is refused as such', async () => {
    const blank = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    await expect(read(reader, blank, 'a.png')).rejects.toMatchObject({ name: 'DocumentError' });
  });

  test('a truncated picture is refused or read as far as it goes', async () => {
    await expect(
      read(reader, pictureOf('handbook.pdf', 'png').subarray(0, 500), 'a.png'),
    ).rejects.toMatchObject({
      name: 'DocumentError',
    });
  });

  test('a language that tesseract lacks prevents the start', async () => {
    await expect(
      openTextRecogniser(readConfig({ OCR: 'tesseract', OCR_LANGUAGES: 'eng,xyz' })),
    ).rejects.toMatchObject({ name: 'StartError', message: expect.stringContaining('tesseract-ocr-xyz') });
  });
});

describe('without tesseract', () => {
  test('OCR is off unless it is set', async () => {
    expect(await openTextRecogniser(readConfig({}))).toBeNull();
  });

  test.each([
    ['scan.pdf', () => documentFixture('scan.pdf'), 'This PDF holds pictures of pages'],
    ['scan.png', () => Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'This file is a picture'],
  ])('%s is refused with the setting that reads it', async (name, bytes, what) => {
    await expect(read(openReader(null), bytes(), name)).rejects.toMatchObject({
      code: 'no_text_layer',
      reason: expect.stringMatching(new RegExp(`^${what} instead of text. Set OCR=tesseract`)),
    });
  });
});

describe('limits', () => {
  const program = (name: string, script: string): string => {
    const path = join(scratch, name);
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
    return path;
  };
  /** Runs what follows its options, as `prlimit` does. */
  const prlimit = program(
    'prlimit',
    'for option; do case "$option" in --*) echo "$option" >> limits; shift;; *) break;; esac; done\nexec "$@"',
  );
  const pdftoppm = program('pdftoppm', 'touch page.png');
  const recogniser = (tesseract: string, limits = {}) =>
    new TextRecogniser(
      { tesseract: program(`tesseract-${Math.random()}`, tesseract), pdftoppm, prlimit },
      ['eng'],
      limits,
    );
  const leftFolders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('parley-ocr-'));
  const image = { format: 'image', pages: [0] } as const;

  test('a program runs in a folder of its own, with limits and without variables, and leaves nothing behind', async () => {
    const found = await recogniser('cat limits; env | grep -v -e PWD -e _=; cat file; echo "$@"').recognise(
      Buffer.from('picture; $(reboot)\n'),
      image,
      ofA,
    );
    const output = found.get(0) ?? '';
    expect(output).toMatch(/--as=\d+\n--cpu=\d+\n--core=0\n--fsize=\d+\n/);
    expect(output).toContain('picture; $(reboot)\nfile stdout -l eng tsv');
    expect(output).not.toMatch(/HOME|USER|TOKEN|PATH=.*vitest/);
    expect(leftFolders()).toEqual([]);
  });

  test('a program that does not end is killed', async () => {
    await expect(
      recogniser('exec sleep 1000', { pageTimeoutMs: 50 }).recognise(new Uint8Array(1), image, ofA),
    ).rejects.toMatchObject({ code: 'reading_timed_out' });
    expect(leftFolders()).toEqual([]);
  });

  test('a program that fails is a damaged file', async () => {
    await expect(recogniser('exit 1').recognise(new Uint8Array(1), image, ofA)).rejects.toMatchObject({
      code: 'corrupt_file',
      what: 'This picture',
    });
  });

  test('endless output is refused', async () => {
    await expect(recogniser('yes').recognise(new Uint8Array(1), image, ofA)).rejects.toMatchObject({
      code: 'too_much_text',
    });
  });

  test('more pages than allowed are refused before any is read', async () => {
    await expect(
      recogniser('exit 1', { maxPages: 2 }).recognise(
        new Uint8Array(1),
        { format: 'pdf', pages: [0, 1, 2] },
        ofA,
      ),
    ).rejects.toMatchObject({ code: 'too_many_pages' });
  });

  test('a reading that is called off ends its program', async () => {
    const calledOff = new AbortController();
    const reading = recogniser('exec sleep 1000').recognise(new Uint8Array(1), image, {
      ...ofA,
      signal: calledOff.signal,
    });
    calledOff.abort(new Error('called off'));
    await expect(reading).rejects.toThrow('called off');
  });
});
