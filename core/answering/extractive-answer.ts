/** A sentence of a source, word for word. */
export interface ChosenSentence {
  readonly text: string;
  readonly chunkId: string;
  readonly documentId: string;
}

/** What the documents themselves say to the question. */
export interface ExtractiveAnswer {
  /** The sentences joined as they are to be shown; empty where none was found. */
  readonly text: string;
  /** In document order. */
  readonly sentences: readonly ChosenSentence[];
}
