import { type Block, isBlankBlock, type Span, type TextBlock } from './blocks.ts';

/** Whether a message of these blocks is within the limits of the platform. */
type FitsLimit = (blocks: readonly Block[]) => boolean;

/**
 * Deals blocks to as few messages as their order allows. A block that fits a message stays whole; one that fits none
 * is cut, and both sides keep its looks: code goes on as code in its language, a link as a link.
 */
export function splitBlocks(blocks: readonly Block[], fits: FitsLimit): readonly (readonly Block[])[] {
  const parts: (readonly Block[])[] = [];
  let rest = blocks;
  while (rest.length > 0) {
    const { part, after } = nextPart(rest, fits);
    parts.push(part.filter((block) => !isBlankBlock(block)));
    rest = after;
  }
  return parts.filter((part) => part.length > 0);
}

function nextPart(
  blocks: readonly Block[],
  fits: FitsLimit,
): { part: readonly Block[]; after: readonly Block[] } {
  const count = largestWhere(blocks.length, (length) => fits(blocks.slice(0, length)));
  const [whole, next, later] = [blocks.slice(0, count), blocks[count], blocks.slice(count + 1)];
  if (next === undefined) return { part: whole, after: [] };
  const isFirst = count === 0;
  const fitting = { fits: (head: Block) => fits([...whole, head]), must: isFirst };
  const cut = !isFirst && fits([next]) ? null : cutBlock(next, fitting);
  if (cut !== null) {
    return { part: [...whole, cut.head], after: cut.tail === null ? later : [cut.tail, ...later] };
  }
  const part = withoutTrailingHeadings(whole);
  return { part, after: blocks.slice(part.length) };
}

/** A heading goes with what it is over, unless there is nothing else. */
function withoutTrailingHeadings(blocks: readonly Block[]): readonly Block[] {
  const last = blocks.findLastIndex((block) => block.kind === 'code' || block.heading === null);
  return last < 0 ? blocks : blocks.slice(0, last + 1);
}

interface Cut {
  readonly head: Block;
  readonly tail: Block | null;
}

interface Cutting {
  readonly fits: (head: Block) => boolean;
  /** Whether a part of a sentence is better than nothing. */
  readonly must: boolean;
}

/**
 * Parts a block so that its head fits: links and code within a line stay whole where that is possible at all, letters
 * always. Null where there is no good place for it, which is never so when it must be.
 */
function cutBlock(block: Block, { fits, must }: Cutting): Cut | null {
  const text = blockText(block);
  const room = largestWhere(text.length, (length) => fits(slice(block, 0, length)));
  const at = findBlockBreak(block, text, { room, must });
  if (at === null) return null;
  return { head: slice(block, 0, at), tail: at === text.length ? null : slice(block, at, text.length) };
}

function findBlockBreak(
  block: Block,
  text: string,
  { room, must }: { room: number; must: boolean },
): number | null {
  if (room === text.length) return room;
  const kinds: readonly BreakKind[] = block.kind === 'code' ? ['line'] : ['line', 'sentence'];
  const wholes = block.kind === 'code' ? [] : unbreakableRanges(block.spans);
  if (!must) return findBreak(text, room, kinds, wholes);
  const all: readonly BreakKind[] = [...kinds, 'word', 'letter'];
  return findBreak(text, room, all, wholes) ?? findBreak(text, room, all, []) ?? codePointEnd(text, room);
}

/** A letter of more marks than a message has room for is parted, but never within one of its characters. */
function codePointEnd(text: string, room: number): number {
  const at = Math.max(1, room);
  const isHalf = (text.codePointAt(at - 1) ?? 0) > 0xffff;
  if (!isHalf) return at;
  return at > 1 ? at - 1 : at + 1;
}

function unbreakableRanges(spans: readonly Span[]): readonly UnbreakableRange[] {
  let start = 0;
  return spans.flatMap(({ text, style }) => {
    const whole: UnbreakableRange = [start, start + text.length];
    start += text.length;
    return style.link !== undefined || style.code === true ? [whole] : [];
  });
}

function blockText(block: Block): string {
  return block.kind === 'code' ? block.text : block.spans.map(({ text }) => text).join('');
}

/** The white space at a cut belongs to neither side, but code keeps how far its lines are moved in. */
function slice(block: Block, start: number, end: number): Block {
  if (start === 0 && end === blockText(block).length) return block;
  if (block.kind === 'code') {
    const { table: _, ...code } = block;
    return { ...code, text: block.text.slice(start, end).replace(/(?<!\n)\n+$/, '') };
  }
  const { row: _, ...text } = block;
  return { ...text, prefix: start === 0 ? block.prefix : '', spans: sliceSpans(block, start, end) };
}

function sliceSpans({ spans }: TextBlock, start: number, end: number): readonly Span[] {
  let before = 0;
  const sliced = spans.map(({ text, style }) => {
    const piece = text.slice(Math.max(0, start - before), Math.max(0, end - before));
    before += text.length;
    return { text: piece, style };
  });
  return trimmed(sliced.filter(({ text }) => text !== ''));
}

function trimmed(spans: readonly Span[]): readonly Span[] {
  const kept = [...spans];
  while (kept[0]?.text.trim() === '') kept.shift();
  while (kept.at(-1)?.text.trim() === '') kept.pop();
  return kept.map(({ text, style }, index) => {
    const begun = index === 0 ? text.trimStart() : text;
    return { text: index === kept.length - 1 ? begun.trimEnd() : begun, style };
  });
}

type BreakKind = 'line' | 'sentence' | 'word' | 'letter';

/** From and to where a text stays in one piece: a link, a run of code. */
type UnbreakableRange = readonly [start: number, end: number];

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
function findBreak(
  text: string,
  room: number,
  kinds: readonly BreakKind[],
  wholes: readonly UnbreakableRange[],
): number | null {
  const allowed = (index: number) =>
    index > 0 && index <= room && !wholes.some(([start, end]) => index > start && index < end);
  let fallback: number | null = null;
  for (const kind of kinds) {
    const last = lastWithin(ends[kind](text.slice(0, room + LOOK_AHEAD), room), allowed);
    if (last !== null && last > room / 2) return last;
    fallback ??= last;
  }
  return fallback;
}

function lastWithin(indexes: Iterable<number>, allowed: (index: number) => boolean): number | null {
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

/** The largest of 0 to `most` that holds, where all below it hold too. */
function largestWhere(most: number, holds: (value: number) => boolean): number {
  let [low, high] = [0, most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** A text in three parts: the white space at its beginning, its words, and the white space at its end. */
export function splitMargins(text: string): {
  readonly before: string;
  readonly inner: string;
  readonly after: string;
} {
  const begun = text.trimStart();
  const inner = begun.trimEnd();
  return {
    before: text.slice(0, text.length - begun.length),
    inner,
    after: begun.slice(inner.length),
  };
}
