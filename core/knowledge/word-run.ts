/** A sentence, or the titles above a passage, with its words as numbers: what a question is compared with. */
export interface WordRun {
  readonly text: string;
  /**
   * Two numbers a word, `termHash` of its English stem (0 for a stop word) and of the folded word itself; the words of
   * the whole passage, of which this run has those from `from` up to `to`.
   */
  readonly codes: Int32Array;
  readonly from: number;
  readonly to: number;
}
