import { describe, expect, it } from 'vitest';
import type { RankedChunk, ScoreParts } from '../../../../core/knowledge/passage.ts';
import {
  needsReader,
  orderByReader,
  readerDecision,
} from '../../../../core/knowledge/passage-reader/reader-order.ts';
import { analyseQuestion } from '../../../../core/knowledge/ranking/analyse-question.ts';
import { searchRules } from '../../../../core/knowledge/rules.ts';

const nothing = { bm25: 0, coverage: 0, exact: 0, pairs: 0, fused: 0, lead: 0 };

function passageOf(chunkId: string, parts: Partial<ScoreParts> = {}, score = 0.3): RankedChunk {
  const { cosine = 0.35, sentence = 0.4 } = parts;
  return {
    ...{ chunkId, documentId: 'd', ordinal: 0, title: null, headings: [], body: 'Text.' },
    ...{ bm25: 0, cosine, unitCosines: null, score, parts: { ...nothing, cosine, sentence } },
  };
}

const readingOf = (relevance: number) => ({ relevance, unitShares: [1] });

function order(ranked: readonly RankedChunk[], relevances: readonly (number | null)[]) {
  const readings = relevances.map((relevance) => (relevance === null ? null : readingOf(relevance)));
  return orderByReader(ranked, readings, readerDecision);
}

const idsOf = (ranked: readonly RankedChunk[]) => ranked.map(({ chunkId }) => chunkId);

describe('orderByReader', () => {
  it('orders by relevance and cosines, with the probability of the reference implementation', () => {
    const ordered = order([passageOf('far'), passageOf('near')], [-5.270357131958008, 1.8922429084777832]);
    expect(idsOf(ordered)).toEqual(['near', 'far']);
    expect(ordered[0]?.score).toBeCloseTo(0.5222610923253361, 10);
  });

  it('weighs the vectors beside the relevance', () => {
    const ranked = [passageOf('relevant'), passageOf('near', { cosine: 0.5, sentence: 0.6 })];
    expect(idsOf(order(ranked, [1, 0]))).toEqual(['near', 'relevant']);
    expect(idsOf(order(ranked, [9, 0]))).toEqual(['relevant', 'near']);
  });

  it('keeps the first passage of the search unless another one is clearly ahead', () => {
    const ranked = [passageOf('first'), passageOf('other'), passageOf('last')];
    const kept = order(ranked, [1, 1.5, 0]);
    expect(idsOf(kept)).toEqual(['first', 'other', 'last']);
    for (const { score } of kept) expect(score).toBeLessThanOrEqual(kept[0]?.score ?? 0);
    expect(idsOf(order(ranked, [1, 2.5, 0]))).toEqual(['other', 'first', 'last']);
  });

  it('is less sure of the first the nearer the second is, and never surer of another', () => {
    const ranked = [passageOf('a'), passageOf('b'), passageOf('c')];
    const clear = order(ranked, [3, -4, -4]);
    const close = order(ranked, [3, 3, -4]);
    expect(clear[0]?.score).toBeGreaterThan(close[0]?.score ?? 1);
    for (const [first, ...others] of [clear, close]) {
      for (const { score } of others) expect(score).toBeLessThanOrEqual(first?.score ?? 0);
    }
  });

  it('keeps passages that were not read behind those read, in their order, with no higher score', () => {
    const ranked = [passageOf('a', {}, 0.7), passageOf('b'), passageOf('c', {}, 0.1), passageOf('d')];
    const ordered = order(ranked, [null, 0, null, 1]);
    expect(idsOf(ordered)).toEqual(['d', 'b', 'a', 'c']);
    expect(ordered[2]?.score).toBe(ordered[0]?.score);
    expect(ordered[3]?.score).toBe(0.1);
    expect(ordered.map(({ unitShares }) => unitShares)).toEqual([[1], [1], undefined, undefined]);
  });

  it('changes nothing if nothing was read', () => {
    const ranked = [passageOf('a'), passageOf('b')];
    expect(order(ranked, [null, null])).toBe(ranked);
    expect(order([], [])).toEqual([]);
  });
});

describe('needsReader', () => {
  const question = analyseQuestion('How long does delivery to Germany take?');
  const found = (score: number) => ({ question, ranked: [passageOf('a', {}, score)] });
  const alone = { hasWriter: false };

  it('reads where the score is between clear and hopeless', () => {
    const { readerFrom, readerBelow } = searchRules;
    expect(needsReader(found(readerFrom), alone)).toBe(true);
    expect(needsReader(found(readerBelow - 0.001), alone)).toBe(true);
    expect(needsReader(found(readerFrom - 0.001), alone)).toBe(false);
    expect(needsReader(found(readerBelow), alone)).toBe(false);
  });

  it('leaves reading to a language model', () => {
    expect(needsReader(found(0.5), { hasWriter: true })).toBe(false);
  });

  it('reads English alone', () => {
    const german = analyseQuestion('Wie lange dauert die Lieferung nach Deutschland?');
    expect(needsReader({ ...found(0.5), question: german }, alone)).toBe(false);
  });

  it('reads nothing without passages or without a vector', () => {
    expect(needsReader({ question, ranked: [] }, alone)).toBe(false);
    const ranked = [{ ...passageOf('a', {}, 0.5), cosine: null }];
    expect(needsReader({ question, ranked }, alone)).toBe(false);
  });
});
