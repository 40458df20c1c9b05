import type { Candidate } from './candidate.ts';

/** The evidence behind a score, each from 0 to 1: shown to operators when an answer surprises. */
export interface ScoreParts {
  /** BM25 as a share of the best that this question could reach in this scope. */
  readonly bm25: number;
  /** Share of the question, weighted by rarity of its words, that the best sentence with title and headings holds. */
  readonly coverage: number;
  /** Share of the question that the passage holds in the very same form. */
  readonly exact: number;
  /** Share of the question's neighbouring words that stand together in the passage. */
  readonly pairs: number;
  /** Cosine of question and passage; 0 where none is at hand. */
  readonly cosine: number;
  /** The weighted sum that decides the order. */
  readonly fused: number;
}

/** A candidate with its calibrated score. */
export type RankedChunk<Found extends Candidate = Candidate> = Found & {
  /** 0 to 1: how likely it is that this passage answers the question. */
  readonly score: number;
  readonly parts: ScoreParts;
};
