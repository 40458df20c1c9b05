// Expressions and lists of words for the data of languages.

/** Matches nothing. */
export const NEVER = /(?!)/u;

/** Returns the words of a list that has white space between them. */
export function wordSet(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/u));
}

/** Returns phrases, and the words of a list with one space between them. */
export function wordList(list: string, phrases: readonly string[] = []): readonly string[] {
  return [...phrases, ...list.split(' ')];
}
