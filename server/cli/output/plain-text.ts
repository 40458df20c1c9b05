import { stripVTControlCharacters } from 'node:util';

/** Bidirectional overrides and isolates: they make a terminal show text in another order than it is stored. */
const directionMarks = /[\u202a-\u202e\u2066-\u2069]/g;

/** Text of a document made harmless for a terminal: no escape sequences; line breaks and tabs stay. */
export function plainText(text: string): string {
  const visible = stripVTControlCharacters(text).replace(directionMarks, '');
  return visible.replace(/\p{Cc}/gu, (control) => (control === '\n' || control === '\t' ? control : ''));
}

/** The same on one line. */
export function plainLine(text: string): string {
  return plainText(text).replace(/\s+/g, ' ').trim();
}
