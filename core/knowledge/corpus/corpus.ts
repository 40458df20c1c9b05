import type { FoundPassage } from '../passage.ts';

/** All that one workspace answers from, in memory. */
export interface Corpus {
  readonly scopes: readonly CorpusScope[];
  /** About what it takes of memory. */
  readonly bytes: number;
}

/** The chunks with one set of audience tags. What belongs to a chunk has its place in `passages`. */
export interface CorpusScope {
  /** Who may read it: any of these tags; nobody has to have one where there are none. */
  readonly audience: readonly string[];
  readonly passages: readonly CorpusPassage[];
  /** How many terms each has. */
  readonly lengths: Uint16Array;
  /** The sum of `lengths`. */
  readonly termCount: number;
  /** One after the other, all of the same length. */
  readonly vectors: Float32Array;
  /** By term: a `posting` for each chunk that it occurs in. */
  readonly postings: ReadonlyMap<number, Uint32Array>;
}

export type CorpusPassage = Omit<FoundPassage, 'bm25' | 'cosine'>;

const frequencyBits = 16;
const mostFrequent = 2 ** frequencyBits - 1;

/** In which chunk a term occurs and how often, in one number. */
export function packPosting(place: number, frequency: number): number {
  return place * 2 ** frequencyBits + frequency;
}

export function postingPlace(packed: number): number {
  return packed >>> frequencyBits;
}

export function postingFrequency(packed: number): number {
  return packed & mostFrequent;
}
