import type { Confidence } from '../knowledge/confidence.ts';

/** A passage an answer rests on. */
export interface Source {
  readonly documentId: string;
  readonly chunkId: string;
  readonly title: string;
  readonly url: string | null;
  /** The passage's exact text. */
  readonly chunk: string;
  /** 0 to 1. */
  readonly score: number;
}

export interface Answer {
  readonly text: string;
  /** Best first, at most five; empty, or near misses, when `confidence` is low. */
  readonly sources: readonly Source[];
  readonly confidence: Confidence;
  /** The score of the best passage, 0 to 1; 0 where nothing was found. */
  readonly score: number;
  /** Tokens that a language model was paid for; 0 without one. */
  readonly tokensUsed: number;
  readonly skillsFired: readonly string[];
}
