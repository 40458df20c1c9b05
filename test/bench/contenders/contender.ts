import type { Corpus, KnownQuestion } from '../corpus/corpus.ts';

export interface Searcher {
  /** Searches by words and vector together, up to the texts of the passages. Returns how many were found. */
  search(question: KnownQuestion): Promise<number>;
  close(): Promise<void>;
}

/** Something that searches the same chunks. */
export interface Contender {
  /** Writes the index to the folder; without it, `open` builds everything in memory. */
  build?(folder: string, corpus: Corpus, size: IndexSize): Promise<void>;
  open(folder: string, corpus: Corpus, size: IndexSize): Promise<Searcher>;
}

export interface IndexSize {
  readonly chunks: number;
  /** Workspaces of 100 chunks beside the large one. */
  readonly smallWorkspaces: number;
}

export const smallWorkspaceChunks = 100;

/** The number of passages that a caller gets, of the candidates that each way of searching finds. */
export const passagesWanted = 10;
