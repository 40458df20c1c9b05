import type { ScoredSentence } from './scored-sentence.ts';

/** A list is quoted up to so many points. */
const MOST_ITEMS = 10;

/**
 * The sentences of a passage that make the one at `index` stand alone, itself among them, in order: a list's lead-in
 * brings its points and a point its lead-in, a heading what is under it, a back reference what it refers to.
 * `room` is how many characters they may have; what does not fit is left out, the sentence itself never.
 */
export function completeSentence(
  sentences: readonly ScoredSentence[],
  index: number,
  room: number,
): readonly number[] {
  const chosen = [index];
  let left = room - lengthOf(sentences, index);
  for (const companion of companions(sentences, index)) {
    left -= lengthOf(sentences, companion);
    if (left < 0) break;
    chosen.push(companion);
  }
  return chosen.sort((one, other) => one - other);
}

function companions(sentences: readonly ScoredSentence[], index: number): readonly number[] {
  switch (sentences[index]?.role) {
    case 'lead-in':
      return following(sentences, index);
    case 'heading':
      return sentences[index + 1]?.role === 'lead-in'
        ? [index + 1, ...following(sentences, index + 1)]
        : [index + 1, index + 2].slice(0, Math.max(0, sentences.length - 1 - index));
    case 'item':
      return leadIn(sentences, index);
    case 'continuation':
      return index > 0 && sentences[index - 1]?.role !== 'heading' ? [index - 1] : [];
    default:
      return [];
  }
}

/** The points of the list that begins after `index`, or the one sentence that does. */
function following(sentences: readonly ScoredSentence[], index: number): readonly number[] {
  const items: number[] = [];
  for (let at = index + 1; sentences[at]?.role === 'item' && items.length < MOST_ITEMS; at += 1)
    items.push(at);
  return items.length === 0 && index + 1 < sentences.length ? [index + 1] : items;
}

function leadIn(sentences: readonly ScoredSentence[], index: number): readonly number[] {
  let at = index - 1;
  while (sentences[at]?.role === 'item') at -= 1;
  return sentences[at]?.role === 'lead-in' ? [at] : [];
}

function lengthOf(sentences: readonly ScoredSentence[], index: number): number {
  return (sentences[index]?.text.length ?? 0) + 1;
}
