/** The least probabilities at which what was found is shown as the answer, and as what may be it. */
export interface TierLimits {
  readonly answer: number;
  readonly maybe: number;
}

export interface TierShares {
  /** Each 0 to 1; together 1. */
  readonly answer: number;
  readonly maybe: number;
  readonly none: number;
}

/**
 * Returns the share of answers in each tier from their number in equal bins between 0 and 1; null without answers. Answers of
 * a bin that a limit cuts are taken to lie evenly in it.
 */
export function tierShares(bins: readonly number[], { answer, maybe }: TierLimits): TierShares | null {
  const total = bins.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const fromAnswer = countFrom(bins, answer) / total;
  const fromMaybe = countFrom(bins, Math.min(maybe, answer)) / total;
  return { answer: fromAnswer, maybe: fromMaybe - fromAnswer, none: 1 - fromMaybe };
}

function countFrom(bins: readonly number[], limit: number): number {
  // The place is rounded, because a limit such as .15 is not exactly the edge of its bin.
  const place = Math.round(limit * bins.length * 1_000) / 1_000;
  return bins.reduce((sum, count, bin) => sum + count * Math.min(1, Math.max(0, bin + 1 - place)), 0);
}
