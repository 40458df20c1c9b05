/** A text that the command menu looks through, folded once. */
interface Searched {
  readonly label: string;
  /** Other words of it, such as a description. */
  readonly others: string;
}

/** Letters from which on a word may have one mistake, and two. */
const oneMistake = 4;
const twoMistakes = 8;

/** The rank of an entry that only fits with a mistake in the typing. */
export const MISTYPED = 4;

/** Returns the text without capitals and accents, as it is compared. */
export function fold(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/**
 * Returns how well the typed words fit, 0 best, or null if one of them is missing: 0 the label begins with them, 1 words of
 * the label begin with them, 2 they are in the label, 3 in other words, `MISTYPED` with a mistake. Both sides are folded. Pure.
 */
export function rankMatch(typed: string, { label, others }: Searched): number | null {
  if (label.startsWith(typed)) return 0;
  let worst = 1;
  for (const word of listWords(typed)) {
    const rank = rankWord(word, label, others);
    if (rank === null) return null;
    worst = Math.max(worst, rank);
  }
  return worst;
}

function rankWord(word: string, label: string, others: string): number | null {
  const words = listWords(label);
  if (words.some((each) => each.startsWith(word))) return 1;
  if (label.includes(word)) return 2;
  if (others.includes(word)) return 3;
  return words.some((each) => isMistyped(word, each)) ? MISTYPED : null;
}

function listWords(text: string): readonly string[] {
  return text.split(/[\s,.:;()/-]/u).filter((word) => word !== '');
}

/** Whether `typed` is the beginning of `word` with one letter wrong, too many, missing or swapped; with two in a long word. */
function isMistyped(typed: string, word: string): boolean {
  if (typed.length < oneMistake || typed[0] !== word[0]) return false;
  const allowed = typed.length < twoMistakes ? 1 : 2;
  const lengths = Array.from({ length: 2 * allowed + 1 }, (_, at) => typed.length - allowed + at);
  return lengths.some(
    (length) => length <= word.length && countMistakes(typed, word.slice(0, length)) <= allowed,
  );
}

/** The distance of Damerau and Levenshtein between two short words. */
function countMistakes(one: string, other: string): number {
  let former: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1];
      const changed = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (isSame ? 0 : 1),
      );
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      next.push(isSwapped ? Math.min(changed, (former[j - 2] ?? 0) + 1) : changed);
    }
    former = row;
    row = next;
  }
  return row[other.length] ?? 0;
}
