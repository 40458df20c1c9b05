import type { LanguageClass } from './language.ts';

/**
 * How much each piece of lexical evidence counts; all but BM25 by its square: half a match is worth a quarter. Fitted
 * weights did no better than equal ones on texts that they were not fitted on.
 */
export const LEXICAL_WEIGHTS = { bm25: 0.25, coverage: 0.25, exact: 0.25, pairs: 0.25 } as const;

/** Cosines of unrelated texts are not 0: a small one says little. */
export const COSINE_POWER = 1.5;

export interface Calibration {
  /** How far a cosine alone can convince, 0 to 1. The built-in model reads English. */
  readonly cosineTrust: number;
  /** The fused score at which a passage answers as often as not. */
  readonly threshold: number;
  /** How fast certainty grows with the fused score. */
  readonly slope: number;
}

export const CALIBRATION: Readonly<Record<LanguageClass, Calibration>> = {
  english: { cosineTrust: 0.8, threshold: 0.415, slope: 15 },
  latin: { cosineTrust: 0.15, threshold: 0.17, slope: 20 },
  other: { cosineTrust: 0, threshold: 0.16, slope: 18 },
};

/** English where no cosine is at hand: about as few wrong answers as with one, at the price of a sixth to a half of the right ones. */
export const ENGLISH_WORDS: Calibration = { cosineTrust: 0, threshold: 0.26, slope: 15 };
