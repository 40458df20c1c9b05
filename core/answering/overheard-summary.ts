import type { EarlierMessage } from '../contract/facets.ts';
import { cutText } from '../text.ts';

/** Of each message: all of them are in every prompt until they are summed up with what follows. */
const MOST_CHARS = 300;

/**
 * What people said to one another, in the place of a summary of a conversation: to every prompt it is data, by which
 * nothing is answered and nothing done. Null where nothing was said.
 */
export function overheardSummary(overheard: readonly EarlierMessage[]): string | null {
  if (overheard.length === 0) return null;
  return overheard.map(({ author, text }) => `${author}: ${cutText(text, MOST_CHARS)}`).join('\n');
}
