/** The steps of an answer, in their order. */
export const stages = ['understanding', 'searching', 'reading', 'writing'] as const;

export type Stage = (typeof stages)[number];

/** Who hears of an answer while it comes to be. An answer waits for what is returned before it goes on. */
export interface AnswerListener {
  /** Each stage once, in order; the first one after all that could refuse the question was checked. */
  stage(stage: Stage): void | Promise<void>;
  /** The next piece of the text: all of them together are the answer. */
  token(text: string): void | Promise<void>;
}
