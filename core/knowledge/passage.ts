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

/** A passage with the document it is from. */
export interface FoundPassage extends Candidate {
  readonly title: string;
  readonly url: string | null;
}

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

/** What BM25 has to know of the searched scope. */
export interface CorpusStatistics {
  /** Number of chunks in the scope. */
  readonly chunks: number;
  /** In how many of them a term occurs, by term hash; a term that occurs nowhere is absent. */
  readonly documentFrequency: ReadonlyMap<number, number>;
}

/** What a question brought out of the documents that its asker may read. */
export interface FoundCandidates {
  /** Of all chunks that were searched. */
  readonly statistics: CorpusStatistics;
  /** At most forty, the most promising first. */
  readonly passages: readonly FoundPassage[];
}

/** What is embedded and tokenised for a chunk: the passage under the path that leads to it. */
export function indexedText(title: string, headings: readonly string[], body: string): string {
  const path = [title, ...headings].map((part) => part.trim()).filter((part) => part !== '');
  return path.length === 0 ? body : `${path.join(' > ')}\n${body}`;
}
