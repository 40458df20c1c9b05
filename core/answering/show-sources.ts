import { ANSWER_THRESHOLD } from '../knowledge/confidence.ts';
import type { Source } from './answer.ts';
import { sourceOf, type UsablePassage } from './source-of.ts';

const sourcesShown = 5;

/** The passages that the answer is from, and where there is room others as sure; best first. */
export function showSources(
  usable: readonly UsablePassage[],
  isUsed: (passage: UsablePassage) => boolean,
): readonly Source[] {
  const others = usable.filter((passage) => !isUsed(passage) && passage.score >= ANSWER_THRESHOLD);
  const shown = [...usable.filter(isUsed), ...others].slice(0, sourcesShown);
  return shown.sort((one, other) => other.score - one.score).map(sourceOf);
}
