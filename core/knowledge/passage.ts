import { plainText } from './passage-form.ts';

/** One passage that the search found, with the measures of its lexical and its vector half. */
export interface Candidate {
  readonly chunkId: string;
  readonly documentId: string;
  /** Position in the document, from 0. */
  readonly ordinal: number;
  readonly title: string | null;
  /** The headings above the passage, outermost first; without the document's title. */
  readonly headings: readonly string[];
  /** The passage as it is shown and quoted, in Markdown. */
  readonly body: string;
  /** Exact BM25 over all terms of the question (k1 1.2, b 0.75); 0 if no term occurs. */
  readonly bm25: number;
  /** Cosine of question and passage, -1 to 1; null if the question has no vector. */
  readonly cosine: number | null;
}

/** A candidate with the title and URL of its document. */
export interface FoundPassage extends Candidate {
  readonly title: string;
  readonly url: string | null;
}

/** The evidence behind a score, each from 0 to 1. Operators see it to explain an answer. */
export interface ScoreParts {
  /** BM25 as a share of the maximum that this question can reach in this scope. */
  readonly bm25: number;
  /** Share of the question, weighted by word rarity, in the best sentence together with title and headings. */
  readonly coverage: number;
  /** Share of the question that the passage contains in exactly the same word form. */
  readonly exact: number;
  /** Share of the question's neighbouring word pairs that are also close together in the passage. */
  readonly pairs: number;
  /** Cosine of question and passage; 0 if negative or unknown. */
  readonly cosine: number;
  /** Combination of the other five: decides the order. */
  readonly fused: number;
}

/** A candidate with its calibrated score. */
export type RankedChunk<Found extends Candidate = Candidate> = Found & {
  /** Calibrated probability that this passage answers the question, 0 to 1. */
  readonly score: number;
  readonly parts: ScoreParts;
};

/** Statistics of the searched scope that BM25 needs. */
export interface CorpusStatistics {
  /** Number of chunks in the scope. */
  readonly chunks: number;
  /** Number of chunks that contain a term, by term hash; terms that occur nowhere are absent. */
  readonly documentFrequency: ReadonlyMap<number, number>;
}

/** Result of a candidate search over the documents that the caller may read. */
export interface FoundCandidates {
  /** Over all searched chunks. */
  readonly statistics: CorpusStatistics;
  /** At most forty, the most promising first. */
  readonly passages: readonly FoundPassage[];
}

/** Returns the text that is embedded and tokenised for a chunk: title and headings, then the passage's plain form. */
export function indexedText(title: string, headings: readonly string[], body: string): string {
  const path = [title, ...headings].map((part) => part.trim()).filter((part) => part !== '');
  const text = plainText(body);
  return path.length === 0 ? text : `${path.join(' > ')}\n${text}`;
}
