/** What a model writes in place of an answer that the passages do not hold. */
export const NO_ANSWER = 'NO_ANSWER';
/** What a model begins an answer with that is not from the passages, where that is allowed. */
export const GENERAL_KNOWLEDGE = 'GENERAL_KNOWLEDGE';
