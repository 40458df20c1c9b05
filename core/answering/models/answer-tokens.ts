/** The most tokens a model may write for one answer: about 700 words. */
export const ANSWER_TOKENS = 1_024;
