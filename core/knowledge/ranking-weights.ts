import type { LanguageClass } from './language.ts';

/**
 * How much each piece of lexical evidence counts; all but BM25 by its square: half a match is worth a quarter. Fitted
 * weights did no better than equal ones on texts that they were not fitted on.
 */
export const LEXICAL_WEIGHTS = { bm25: 0.25, coverage: 0.25, exact: 0.25, pairs: 0.25 } as const;

export interface Calibration {
  /** Share of the cosine in the fused score; the rest is lexical. The built-in model reads English. */
  readonly cosine: number;
  /** The fused score at which a passage answers as often as not. */
  readonly threshold: number;
  /** How fast certainty grows with the fused score. */
  readonly slope: number;
}

export const CALIBRATION: Readonly<Record<LanguageClass, Calibration>> = {
  english: { cosine: 0.4, threshold: 0.29, slope: 20 },
  latin: { cosine: 0.1, threshold: 0.17, slope: 20 },
  other: { cosine: 0, threshold: 0.18, slope: 18 },
};
