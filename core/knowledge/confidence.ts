export type Confidence = 'high' | 'medium' | 'low';

/** At this score and above the passage answers the question; below it the answer is the fallback. */
export const ANSWER_THRESHOLD = 0.5;
/** At this score and above a passage is worth showing as related, though it does not answer. */
export const RELATED_THRESHOLD = 0.2;
const HIGH_THRESHOLD = 0.8;

/** What the score of the best passage (0 to 1) says about the answer as a whole. */
export function confidence(score: number): Confidence {
  if (score >= HIGH_THRESHOLD) return 'high';
  return score >= ANSWER_THRESHOLD ? 'medium' : 'low';
}
