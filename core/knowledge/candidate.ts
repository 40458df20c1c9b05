/** One passage that the search found, with what each leg measured on it. */
export interface Candidate {
  readonly chunkId: string;
  readonly documentId: string;
  /** Position in the document, from 0. */
  readonly ordinal: number;
  readonly title: string | null;
  /** The headings above the passage, outermost first; without the document's title. */
  readonly headings: readonly string[];
  /** The passage as it is shown and quoted. */
  readonly body: string;
  /** Exact BM25 over all terms of the question (k1 1.2, b 0.75); 0 where no term occurs. */
  readonly bm25: number;
  /** Cosine of question and passage, -1 to 1; null where no vector is at hand. */
  readonly cosine: number | null;
}
