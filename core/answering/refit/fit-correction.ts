import {
  type Correction,
  correctProbability,
  fromLogOdds,
  identityCorrection,
  toLogOdds,
} from '../../workspaces/correction.ts';

/** An answer that was shown, and whether it helped. */
export interface JudgedAnswer {
  /** The verified visitor, their session, or else the conversation. */
  readonly visitor: string;
  /** Equal for answers with the same text. */
  readonly answer: string;
  /** The probability that the product computed, before any correction. */
  readonly probability: number;
  readonly helped: boolean;
  readonly at: Date;
}

/** Judgements of one visitor that count, so that nobody decides alone how sure a workspace is. */
const MOST_OF_VISITOR = 10;

/** Returns the latest judgement of each visitor on each answer, and the latest ten of a visitor. Pure. */
export function countOnce(judged: readonly JudgedAnswer[]): readonly JudgedAnswer[] {
  const latestFirst = judged.toSorted((one, other) => other.at.getTime() - one.at.getTime());
  const seen = new Map<string, Set<string>>();
  return latestFirst.filter(({ visitor, answer }) => {
    const answers = seen.get(visitor) ?? new Set();
    seen.set(visitor, answers);
    if (answers.has(answer) || answers.size >= MOST_OF_VISITOR) return false;
    answers.add(answer);
    return true;
  });
}

/**
 * The weight of the prior, which counts like about four times as many judgements: 30 of them move a probability of .7 by
 * .04 at half of them helped, and 300 say about half of what they would say alone.
 */
const PRIOR = 50;
const ROUNDS = 25;
const PRECISION = 1e-7;

/**
 * Fits a correction by Newton's method, with a prior that no correction is needed. It is limited to slopes from .25
 * to 4 and offsets from -3 to 3. Pure.
 */
export function fitCorrection(judged: readonly Pick<JudgedAnswer, 'probability' | 'helped'>[]): Correction {
  const samples = judged.map(({ probability, helped }) => ({ x: toLogOdds(probability), helped }));
  let { slope, offset } = identityCorrection;
  for (let round = 0; round < ROUNDS; round += 1) {
    let bySlope = PRIOR * (1 - slope);
    let byOffset = -PRIOR * offset;
    let [slopes, offsets, both] = [PRIOR, PRIOR, 0];
    for (const { x, helped } of samples) {
      const predicted = fromLogOdds(slope * x + offset);
      const missing = (helped ? 1 : 0) - predicted;
      const spread = predicted * (1 - predicted);
      bySlope += missing * x;
      byOffset += missing;
      slopes += spread * x * x;
      offsets += spread;
      both += spread * x;
    }
    const determinant = slopes * offsets - both * both;
    const next = {
      slope: clamp(slope + (offsets * bySlope - both * byOffset) / determinant, 0.25, 4),
      offset: clamp(offset + (slopes * byOffset - both * bySlope) / determinant, -3, 3),
    };
    const moved = Math.abs(next.slope - slope) + Math.abs(next.offset - offset);
    ({ slope, offset } = next);
    if (moved < PRECISION) break;
  }
  return { slope: round4(slope), offset: round4(offset) };
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

function round4(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

/** Fewer judgements are no ground for a correction. */
const LEAST_JUDGED = 40;
const FOLDS = 5;
/**
 * How much better the log loss of answers that were held out must be, in nats for each answer and in standard errors of
 * the difference.
 */
const MARGIN = { nats: 0.01, errors: 2 } as const;

/** How answers of one range were judged, with what they were called and would be called. */
export interface RefitBin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** The mean probability with which they were shown. Null without answers, as are the others. */
  readonly before: number | null;
  /** The mean probability of the correction, each fitted without the answer. */
  readonly after: number | null;
  /** The share that helped. */
  readonly helped: number | null;
}

export interface Refit {
  readonly correction: Correction;
  readonly judged: number;
  /** The mean probability before the correction, as in a bin but of all answers. */
  readonly before: number;
  readonly after: number;
  readonly helped: number;
  /** Nats for each answer. */
  readonly lossBefore: number;
  readonly lossAfter: number;
  readonly bins: readonly RefitBin[];
  /** Whether the correction is better by a margin on answers that it was not fitted to. */
  readonly isBetter: boolean;
}

/**
 * Fits a correction to judged answers, and compares it with the one in use on answers held out (five folds; all answers that
 * a visitor judged are in the same). Null with fewer than 40 judged answers, or if all were judged alike. Pure.
 */
export function refit(given: readonly JudgedAnswer[], inUse: Correction | null): Refit | null {
  const judged = countOnce(given);
  const helped = judged.filter((one) => one.helped).length;
  if (judged.length < LEAST_JUDGED || helped === 0 || helped === judged.length) return null;
  const held = holdOut(judged);
  const rows = held.map(({ answer, after }) => {
    const before = correctProbability(answer.probability, inUse);
    return { before, after, helped: answer.helped, gain: loss(before, answer) - loss(after, answer) };
  });
  const gain = mean(rows.map((row) => row.gain));
  const error = Math.sqrt(mean(rows.map((row) => (row.gain - gain) ** 2)) / rows.length);
  return {
    correction: fitCorrection(judged),
    judged: judged.length,
    before: round4(mean(rows.map((row) => row.before))),
    after: round4(mean(rows.map((row) => row.after))),
    helped: round4(helped / judged.length),
    lossBefore: round4(mean(rows.map((row) => loss(row.before, row)))),
    lossAfter: round4(mean(rows.map((row) => loss(row.after, row)))),
    bins: toBins(rows),
    isBetter: gain >= Math.max(MARGIN.nats, MARGIN.errors * error),
  };
}

interface HeldOut {
  readonly answer: JudgedAnswer;
  /** The probability by a correction that was fitted without the answer. */
  readonly after: number;
}

function holdOut(judged: readonly JudgedAnswer[]): readonly HeldOut[] {
  const visitors = [...new Set(judged.map(({ visitor }) => visitor))];
  const folds = new Map(visitors.map((visitor, index) => [visitor, index % FOLDS]));
  return Array.from({ length: FOLDS }, (_, fold) => {
    const [own = [], others = []] = [true, false].map((isOwn) =>
      judged.filter(({ visitor }) => (folds.get(visitor) === fold) === isOwn),
    );
    const correction = fitCorrection(others);
    return own.map((answer) => ({ answer, after: correctProbability(answer.probability, correction) }));
  }).flat();
}

function loss(probability: number, { helped }: { readonly helped: boolean }): number {
  return -Math.log(helped ? probability : 1 - probability);
}

const BINS = 5;

function toBins(
  rows: readonly { readonly before: number; readonly after: number; readonly helped: boolean }[],
): readonly RefitBin[] {
  return Array.from({ length: BINS }, (_, index) => {
    const some = rows.filter(({ before }) => Math.min(BINS - 1, Math.floor(before * BINS)) === index);
    const meanOf = (values: readonly number[]) => (values.length === 0 ? null : round4(mean(values)));
    return {
      from: index / BINS,
      to: (index + 1) / BINS,
      count: some.length,
      before: meanOf(some.map((row) => row.before)),
      after: meanOf(some.map((row) => row.after)),
      helped: meanOf(some.map((row) => (row.helped ? 1 : 0))),
    };
  });
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
