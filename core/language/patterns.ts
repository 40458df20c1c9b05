// Boundaries of alternatives in regular expressions, for the data of languages.

/** Whole words in Latin letters without marks. */
export function word(alternatives: string): string {
  return `\\b(?:${alternatives})\\b`;
}

/** Whole words in any letters. */
export function spelled(alternatives: string): string {
  return `(?:^|\\P{L})(?:${alternatives})(?!\\p{L})`;
}

/** The first word of a text. */
export function opening(alternatives: string): string {
  return `^\\s*(?:${alternatives})\\b`;
}

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
