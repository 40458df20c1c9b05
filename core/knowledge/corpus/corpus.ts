import type { FoundPassage } from '../passage.ts';
import type { SentenceVectors } from '../sentence-vectors.ts';

/** All indexed passages of one workspace, in memory. */
export interface Corpus {
  readonly scopes: readonly CorpusScope[];
  /** The embedding model of the vectors; 0 is the built-in one. */
  readonly modelId: number;
  /** Estimated memory. */
  readonly bytes: number;
}

/** The chunks with one set of audience tags. `lengths`, `vectors` and postings refer to indexes of `passages`. */
export interface CorpusScope {
  /** A reader needs one of these tags; an empty list is readable by everyone. */
  readonly audience: readonly string[];
  readonly passages: readonly CorpusPassage[];
  /** Number of terms per passage. */
  readonly lengths: Uint16Array;
  /** The sum of `lengths`. */
  readonly termCount: number;
  /** All vectors concatenated, each of the same length. */
  readonly vectors: Float32Array;
  /** The postings by term hash: a packed one (`packPosting`) for each chunk that contains the term. */
  readonly postings: ReadonlyMap<number, Uint32Array>;
}

export interface CorpusPassage extends Omit<FoundPassage, 'bm25' | 'cosine' | 'unitCosines'> {
  /** Null if they were not made yet. */
  readonly sentences: SentenceVectors | null;
  /** When its document was changed last, as the corpus was loaded. */
  readonly changedAt: Date;
}

const FREQUENCY_BITS = 16;
const MAX_FREQUENCY = 2 ** FREQUENCY_BITS - 1;

/** Packs the index of a chunk and the frequency of a term in it into one number. */
export function packPosting(place: number, frequency: number): number {
  return place * 2 ** FREQUENCY_BITS + frequency;
}

export function postingPlace(packed: number): number {
  return packed >>> FREQUENCY_BITS;
}

export function postingFrequency(packed: number): number {
  return packed & MAX_FREQUENCY;
}
