/** How a text holds the words of a question; one entry for each of the question's words, in its order. */
export interface WordMatch {
  /** 0 to 1: not at all, some of its grams, the word in any form. */
  readonly strength: readonly number[];
  /** The very same form. */
  readonly exact: readonly boolean[];
  /** Roughly which word of the text it is, -1 where it is absent. */
  readonly position: readonly number[];
}
