import { describe, expect, test } from 'vitest';
import {
  countOnce,
  fitCorrection,
  type JudgedAnswer,
  refit,
} from '../../../../core/answering/refit/fit-correction.ts';
import { correctProbability, identityCorrection } from '../../../../core/workspaces/correction.ts';

/** A generator of numbers from 0 to 1 that repeats itself for a seed. */
function seeded(seed: number): () => number {
  let state = seed * 7_919 + 1;
  const next = () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
  for (let round = 0; round < 20; round += 1) next();
  return next;
}

/** Answers of a workspace where they help as often as `truth` says, each by a visitor of its own. */
function judge(count: number, seed: number, truth: (probability: number) => number): JudgedAnswer[] {
  const random = seeded(seed);
  return Array.from({ length: count }, (_, index) => {
    const probability = 0.3 + 0.68 * random();
    return {
      ...{ visitor: `visitor ${index}`, answer: `answer ${index}`, probability },
      ...{ helped: random() < truth(probability), at: new Date(index) },
    };
  });
}

const asCalled = (probability: number) => probability;
const overConfident = (probability: number) => correctProbability(probability, { slope: 1, offset: -0.8 });
const seeds = Array.from({ length: 100 }, (_, index) => index);
const offered = (count: number, truth: (probability: number) => number) =>
  seeds.filter((seed) => refit(judge(count, seed, truth), null)?.isBetter === true).length;

describe('a correction is offered', () => {
  test('hardly ever to a workspace where probabilities mean what they say', () => {
    expect(offered(40, asCalled)).toBeLessThanOrEqual(6);
    expect(offered(312, asCalled)).toBeLessThanOrEqual(2);
    expect(offered(1_000, asCalled)).toBe(0);
  });

  test('to an over-confident one, for whom answers are then called as sure as they are', () => {
    expect(offered(312, overConfident)).toBeGreaterThanOrEqual(98);
    const found = refit(judge(1_000, 1, overConfident), null);
    expect(found?.lossAfter).toBeLessThan((found?.lossBefore ?? 0) - 0.01);
    expect(Math.abs((found?.after ?? 0) - (found?.helped ?? 1))).toBeLessThan(0.05);
    expect((found?.before ?? 0) - (found?.helped ?? 1)).toBeGreaterThan(0.1);
    for (const { count, before, after, helped } of found?.bins ?? []) {
      if (count < 100 || before === null || after === null || helped === null) continue;
      expect(Math.abs(after - helped)).toBeLessThan(Math.abs(before - helped));
    }
  });

  test('only if it is better than the one in use', () => {
    const judged = judge(1_000, 2, overConfident);
    const inUse = refit(judged, null)?.correction ?? identityCorrection;
    expect(inUse.offset).toBeLessThan(-0.4);
    expect(refit(judged, inUse)?.isBetter).toBe(false);
    // The answers have become right meanwhile: the correction in use is what is wrong now.
    const later = refit(judge(1_000, 3, asCalled), inUse);
    expect(later?.isBetter).toBe(true);
    expect(later?.correction.slope).toBeCloseTo(1, 0);
  });

  test('from 40 judged answers on, if some helped and some did not', () => {
    const judged = judge(40, 4, overConfident);
    expect(refit(judged.slice(1), null)).toBeNull();
    expect(refit(judged, null)?.judged).toBe(40);
    const all = (helped: boolean) => judged.map((one) => ({ ...one, helped }));
    expect(refit(all(true), null)).toBeNull();
    expect(refit(all(false), null)).toBeNull();
  });

  test('in five bins that hold every answer once', () => {
    const found = refit(judge(200, 5, overConfident), null);
    expect(found?.bins.map(({ from, to }) => [from, to])).toEqual([
      [0, 0.2],
      [0.2, 0.4],
      [0.4, 0.6],
      [0.6, 0.8],
      [0.8, 1],
    ]);
    expect(found?.bins.reduce((sum, { count }) => sum + count, 0)).toBe(200);
    expect(found?.bins[0]).toMatchObject({ count: 0, before: null, after: null, helped: null });
  });
});

describe('few judgements move little', () => {
  const some = (count: number, helped: (index: number) => boolean) =>
    Array.from({ length: count }, (_, index) => ({ probability: 0.7, helped: helped(index) }));

  test('30 of which half helped move .7 by less than .05, and 600 by most of what they say', () => {
    const half = (index: number) => index % 2 === 0;
    expect(correctProbability(0.7, fitCorrection(some(30, half)))).toBeGreaterThan(0.65);
    expect(correctProbability(0.7, fitCorrection(some(600, half)))).toBeLessThan(0.55);
  });

  test('none move nothing, and a flood of equal ones stays within the limits', () => {
    expect(fitCorrection([])).toEqual(identityCorrection);
    const { slope, offset } = fitCorrection(some(100_000, () => false));
    expect(slope).toBeGreaterThanOrEqual(0.25);
    expect(offset).toBeGreaterThanOrEqual(-3);
    expect(Number.isFinite(slope + offset)).toBe(true);
  });
});

describe('one judgement of a visitor on an answer counts', () => {
  const base = judge(60, 6, asCalled);
  const click = (index: number, answer: string): JudgedAnswer => ({
    ...{ visitor: 'stranger', answer, probability: 0.7, helped: false, at: new Date(1_000 + index) },
  });

  test('a stranger who clicks one answer 100 times counts once', () => {
    const clicks = Array.from({ length: 100 }, (_, index) => click(index, 'answer 1'));
    expect(refit([...base, ...clicks], null)).toEqual(refit([...base, click(99, 'answer 1')], null));
  });

  test('the latest counts', () => {
    const first = { ...click(1, 'answer 1'), helped: true };
    expect(countOnce([first, click(2, 'answer 1')])).toEqual([click(2, 'answer 1')]);
    expect(countOnce([click(2, 'answer 1'), first])).toEqual([click(2, 'answer 1')]);
  });

  test('at most ten answers of a visitor count', () => {
    const clicks = Array.from({ length: 100 }, (_, index) => click(index, `answer ${index}`));
    expect(countOnce([...base, ...clicks])).toHaveLength(70);
  });
});
