export type BreakKind = 'line' | 'sentence' | 'word' | 'letter';

/** From and to where a text stays in one piece: a link, a run of code. */
export type Whole = readonly [start: number, end: number];

/** Sentences and letters are told apart by what comes after them. */
const LOOK_AHEAD = 64;

const sentences = new Intl.Segmenter('und', { granularity: 'sentence' });
const letters = new Intl.Segmenter('und', { granularity: 'grapheme' });

const ends: Readonly<Record<BreakKind, (text: string, room: number) => Iterable<number>>> = {
  line: (text) => matchEnds(text, /\n+/g),
  sentence: (text, room) => segmentEnds(sentences, text.slice(0, room + LOOK_AHEAD)),
  word: (text) => matchEnds(text, /\s+/g),
  letter: (text, room) => segmentEnds(letters, text.slice(0, room + LOOK_AHEAD)),
};

/**
 * Where to part a text that is longer than `room`: at the last break of the first kind that leaves no more than half
 * of the room unused, else at the last break of any kind. Null where there is none.
 */
export function findBreak(
  text: string,
  room: number,
  kinds: readonly BreakKind[],
  wholes: readonly Whole[],
): number | null {
  const allowed = (index: number) =>
    index > 0 && index <= room && !wholes.some(([start, end]) => index > start && index < end);
  let fallback: number | null = null;
  for (const kind of kinds) {
    const last = lastOf(ends[kind](text.slice(0, room + LOOK_AHEAD), room), allowed);
    if (last !== null && last > room / 2) return last;
    fallback ??= last;
  }
  return fallback;
}

function lastOf(indexes: Iterable<number>, allowed: (index: number) => boolean): number | null {
  let last: number | null = null;
  for (const index of indexes) if (allowed(index)) last = index;
  return last;
}

function* matchEnds(text: string, pattern: RegExp): Iterable<number> {
  for (const match of text.matchAll(pattern)) yield match.index + match[0].length;
}

/** Without the last one, which is where the text was cut off. */
function* segmentEnds(segmenter: Intl.Segmenter, text: string): Iterable<number> {
  for (const { index } of segmenter.segment(text)) yield index;
}
