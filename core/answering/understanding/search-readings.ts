import { ANSWER_THRESHOLD } from '../../knowledge/confidence.ts';
import type { SearchResult } from '../../knowledge/search.ts';
import { bestScore } from '../best-score.ts';
import type { QuestionReadings } from './question-readings.ts';

/** What the first reading finds that finds an answer; where none does, the nearest to one. */
export async function searchReadings(
  { first, others }: QuestionReadings,
  find: (text: string) => Promise<SearchResult>,
): Promise<SearchResult> {
  const tried = new Set([first]);
  let best = await find(first);
  for (const reading of others) {
    if (bestScore(best) >= ANSWER_THRESHOLD) return best;
    const text = await reading();
    if (text === null || tried.has(text)) continue;
    tried.add(text);
    const found = await find(text);
    if (bestScore(found) > bestScore(best)) best = found;
  }
  return best;
}
