import { describe, expect, it, vi } from 'vitest';
import { EmbeddingError, type ReadPairs } from '../../../../core/knowledge/embedding/embedder.ts';
import { openPassageReader } from '../../../../core/knowledge/passage-reader/passage-reader.ts';
import { searchRules } from '../../../../core/knowledge/rules.ts';

const passages = Array.from({ length: 12 }, (_, index) => ({
  title: 'Shop',
  headings: [`Section ${index}`],
  body: 'The shop opens at nine in the morning. It is closed on Sundays and on public holidays.',
}));

/** A reader whose pool, deadline and clock a test controls. */
function openReader(read: ReadPairs, { isBusy = false } = {}) {
  const deadline = Promise.withResolvers<void>();
  const waits: number[] = [];
  const now = { at: new Date(1) };
  const log = { warn: vi.fn() };
  const reader = openPassageReader({
    pairs: { read, isBusy: () => isBusy },
    clock: { now: () => now.at },
    wait: (ms) => {
      waits.push(ms);
      return deadline.promise;
    },
    log,
  });
  const options = { deadlineMs: 400 };
  return { reader, log, waits, now, pass: () => deadline.resolve(), options };
}

const readingOf = (relevance: number) => ({ relevance, unitShares: [0.2, 0.8] });

/** Reads some pairs at once and the others never, as a pool that is slow. */
const readFirst =
  (count: number): ReadPairs =>
  async (pairs, onReading, { signal } = {}) => {
    for (const index of pairs.slice(0, count).keys()) onReading(index, readingOf(index));
    if (count >= pairs.length) return;
    await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  };

const isRead = (readings: readonly (object | null)[]) => readings.map((reading) => reading !== null);

describe('openPassageReader', () => {
  it('reads the best passages as head and units, fewer of them under load', async () => {
    const asked: Parameters<ReadPairs>[0][] = [];
    const record: ReadPairs = async (pairs) => {
      asked.push(pairs);
    };
    const calm = openReader(record);
    const busy = openReader(record, { isBusy: true });
    expect(await calm.reader.read('When?', passages, calm.options)).toHaveLength(passages.length);
    await busy.reader.read('When?', passages, busy.options);
    const { readerPassages, readerPassagesUnderLoad } = searchRules;
    expect(asked.map(({ length }) => length)).toEqual([readerPassages, readerPassagesUnderLoad]);
    expect(asked[0]?.[1]).toEqual({
      question: 'When?',
      head: 'Shop > Section 1',
      units: ['The shop opens at nine in the morning.', 'It is closed on Sundays and on public holidays.'],
    });
    expect(calm.waits).toEqual([400]);
  });

  it('returns what was read when the deadline passes, and reports nothing', async () => {
    const { reader, log, pass, options } = openReader(readFirst(2));
    const reading = reader.read('When?', passages.slice(0, 4), options);
    pass();
    expect(isRead(await reading)).toEqual([true, true, false, false]);
    expect(log.warn).not.toHaveBeenCalled();
  });

  it('reports a failing engine once in a while, and keeps what was read', async () => {
    const { reader, log, now, options } = openReader(async (_, onReading) => {
      onReading(0, readingOf(1));
      throw new EmbeddingError('broken');
    });
    for (let time = 0; time < 3; time += 1)
      expect(isRead(await reader.read('When?', passages.slice(0, 2), options))).toEqual([true, false]);
    expect(log.warn).toHaveBeenCalledOnce();
    now.at = new Date(3_600_000);
    await reader.read('When?', passages, options);
    expect(log.warn).toHaveBeenCalledTimes(2);
  });

  it('stops with the reason of the signal', async () => {
    const { reader, log, options } = openReader(readFirst(1));
    const abortion = new AbortController();
    const reading = reader.read('When?', passages, { ...options, signal: abortion.signal });
    abortion.abort('gone');
    await expect(reading).rejects.toBe('gone');
    expect(log.warn).not.toHaveBeenCalled();
  });
});
