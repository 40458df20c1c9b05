/** What BM25 has to know of the searched scope. */
export interface CorpusStatistics {
  /** Number of chunks in the scope. */
  readonly chunks: number;
  /** In how many of them a term occurs, by term hash; a term that occurs nowhere is absent. */
  readonly documentFrequency: ReadonlyMap<number, number>;
}
