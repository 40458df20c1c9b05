import { storable } from './storable.ts';

const SIGN = '…';

/** At most so many characters of a text, with a sign where something is left out. */
export function cutText(text: string, most: number): string {
  return text.length <= most ? text : `${storable(text.slice(0, most - SIGN.length))}${SIGN}`;
}
