import type { CorpusScope } from './corpus.ts';

export interface WeighedTerm {
  readonly term: number;
  /** In how many of the chunks it occurs. */
  readonly frequency: number;
  /** Its inverse document frequency, as BM25 has it. */
  readonly weight: number;
}

export function weighTerm(term: number, scopes: readonly CorpusScope[], chunks: number): WeighedTerm {
  let frequency = 0;
  for (const { postings } of scopes) frequency += postings.get(term)?.length ?? 0;
  return { term, frequency, weight: Math.log(1 + (chunks - frequency + 0.5) / (frequency + 0.5)) };
}
