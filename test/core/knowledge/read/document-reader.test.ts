import { afterAll, describe, expect, test } from 'vitest';
import type { DocumentSource } from '../../../../core/knowledge/loaders/loader.ts';
import { DEFAULT_LOADING_LIMITS } from '../../../../core/knowledge/loaders/loader.ts';
import { DocumentReader, readingTimeoutMs } from '../../../../core/knowledge/read/document-reader.ts';
import { documentFixture } from '../../../helpers/documents/load-as.ts';
import { makePdf } from '../../../helpers/documents/make-pdf.ts';

const source = (content: string | Uint8Array, fileName: string): DocumentSource => ({
  bytes: typeof content === 'string' ? new TextEncoder().encode(content) : content,
  contentType: null,
  fileName,
});
const GOOD = source('# Fees\n\nNine pounds.', 'a.md');
/** The Markdown parser takes minutes for this input. */
const ENDLESS = source('-- \n'.repeat(100_000), 'a.md');

const ofA = { workspaceId: 'wsp_a' };
const ofB = { workspaceId: 'wsp_b' };

const open: DocumentReader[] = [];
const openReader = (options: ConstructorParameters<typeof DocumentReader>[0] = {}): DocumentReader => {
  const reader = new DocumentReader({ threads: 1, maxHeapMb: 256, ...options });
  open.push(reader);
  return reader;
};
afterAll(() => Promise.all(open.map((reader) => reader.close())));

describe('reading', () => {
  const reader = openReader();

  test('returns the document and its passages', async () => {
    expect(await reader.read(GOOD, ofA)).toEqual({
      document: {
        title: 'Fees',
        url: null,
        blocks: [{ headings: [], kind: 'paragraph', text: 'Nine pounds.' }],
      },
      chunks: [{ ordinal: 0, headings: [], body: 'Nine pounds.', place: null }],
    });
  });

  test("does not transfer the caller's bytes", async () => {
    const bytes = documentFixture('handbook.pdf');
    const length = bytes.byteLength;
    await reader.read(source(bytes, 'a.pdf'), ofA);
    expect(bytes.byteLength).toBe(length);
  });

  test('reads concurrent files in turn', async () => {
    const files = ['handbook.pdf', 'handbook.docx', 'hyphens.pdf', 'scan.pdf'];
    const outcomes = await Promise.allSettled(
      files.map((name) => reader.read(source(documentFixture(name), name), ofA)),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
  });

  test('a refusal keeps its code, reason and cause', async () => {
    await expect(reader.read(source(documentFixture('scan.pdf'), 'a.pdf'), ofA)).rejects.toMatchObject({
      name: 'DocumentError',
      code: 'no_text_layer',
      reason: expect.stringContaining('OCR'),
    });
  });

  test('a file over the size limit is refused without starting a thread', async () => {
    const bytes = new Uint8Array(DEFAULT_LOADING_LIMITS.maxFileBytes + 1);
    await expect(reader.read(source(bytes, 'a.txt'), ofA)).rejects.toMatchObject({ code: 'too_large' });
  });
});

describe('a malicious file affects no other', () => {
  test('a file that takes too long is stopped, and the next is read', async () => {
    const reader = openReader({ timeoutMs: () => 2_500 });
    await expect(reader.read(ENDLESS, ofA)).rejects.toMatchObject({ code: 'reading_timed_out' });
    expect((await reader.read(GOOD, ofA)).chunks).toHaveLength(1);
  });

  test('a file that fills the heap is stopped, and the next is read', async () => {
    const reader = openReader({ maxHeapMb: 48 });
    await expect(reader.read(source('x\n'.repeat(1_500_000), 'a.txt'), ofA)).rejects.toMatchObject({
      code: 'out_of_memory',
    });
    expect((await reader.read(GOOD, ofA)).chunks).toHaveLength(1);
  });

  test('a file that unpacks without end is stopped, and the next is read', async () => {
    const reader = openReader({ maxHeapMb: 64 });
    const bomb = makePdf(Buffer.alloc(300 * 2 ** 20, ' '));
    await expect(reader.read(source(bomb, 'a.pdf'), ofA)).rejects.toMatchObject({ code: 'out_of_memory' });
    expect((await reader.read(GOOD, ofA)).chunks).toHaveLength(1);
  });

  test('the event loop is not blocked', async () => {
    const reader = openReader({ timeoutMs: () => 800 });
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 10);
    await expect(reader.read(ENDLESS, ofA)).rejects.toThrow();
    clearInterval(timer);
    expect(turns).toBeGreaterThan(10);
  });
});

describe('the time limit grows with the size', () => {
  test('20 seconds up to 1 MB, and two minutes at 25 MB', () => {
    expect([10, 1_000_000, 2_000_000, 26_000_000].map(readingTimeoutMs)).toEqual([
      20_000, 20_000, 24_000, 120_000,
    ]);
  });

  test('the refusal names the limit and a remedy', async () => {
    const reader = openReader({ timeoutMs: () => 1_500 });
    await expect(reader.read(ENDLESS, ofA)).rejects.toMatchObject({
      code: 'reading_timed_out',
      reason: 'Reading the file took longer than 1.5 s and was stopped. Split or simplify the file.',
    });
  });
});

describe('workspaces', () => {
  test('many files of one workspace do not delay a file of another', async () => {
    const reader = openReader({ threads: 3 });
    const stop = new AbortController();
    const hostile = [1, 2, 3, 4].map(() => reader.read(ENDLESS, { ...ofA, signal: stop.signal }));
    const ended = Promise.allSettled(hostile);
    expect((await reader.read(GOOD, ofB)).chunks).toHaveLength(1);
    stop.abort(new TypeError('enough'));
    expect(await ended).toMatchObject(Array(4).fill({ reason: { message: 'enough' } }));
  });
});

describe('stopping', () => {
  test('an aborted call rejects with the reason, and the next file is read', async () => {
    const reader = openReader();
    const reason = new Error('superseded');
    const stop = new AbortController();
    const reading = reader.read(ENDLESS, { ...ofA, signal: stop.signal });
    stop.abort(reason);
    await expect(reading).rejects.toBe(reason);
    expect((await reader.read(GOOD, ofA)).chunks).toHaveLength(1);
  });

  test('closing rejects without a DocumentError', async () => {
    const reader = openReader();
    const reading = [reader.read(ENDLESS, ofA), reader.read(GOOD, ofA)];
    const settled = Promise.allSettled(reading);
    await reader.close();
    for (const outcome of await settled) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'DocumentReaderError' } });
    }
    await expect(reader.read(GOOD, ofA)).rejects.toMatchObject({ name: 'DocumentReaderError' });
  });
});
