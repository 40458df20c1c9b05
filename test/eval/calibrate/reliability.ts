/** How often answers with a probability in a range are right. */
export interface ReliabilityBin {
  readonly from: number;
  readonly to: number;
  /** The mean probability. */
  readonly predicted: number;
  readonly right: number;
  readonly count: number;
}

export interface Judged {
  readonly probability: number;
  readonly isRight: boolean;
}

const EDGES = [0, 0.2, 0.4, 0.6, 0.8, 1];

/** Returns five bins; those without answers are left out. Pure. */
export function measureReliability(judged: readonly Judged[]): readonly ReliabilityBin[] {
  return EDGES.slice(1).flatMap((to, index) => {
    const from = EDGES[index] ?? 0;
    const some = judged.filter(({ probability }) => probability >= from && (probability < to || to === 1));
    if (some.length === 0) return [];
    const predicted = some.reduce((sum, { probability }) => sum + probability, 0) / some.length;
    const right = some.filter(({ isRight }) => isRight).length / some.length;
    return [{ from, to, predicted: round(predicted), right: round(right), count: some.length }];
  });
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
