import { type Block, isBlankBlock, type Span, type TextBlock } from './blocks.ts';

/** Whether a message of these blocks is within the limits of the platform. */
type FitsLimit = (blocks: readonly Block[]) => boolean;

/**
 * Splits blocks into as few messages as their order allows. A block that fits into one message stays whole. A longer
 * block is cut, and both halves keep their formatting: code stays code in its language, a link stays a link.
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
  const fitting = { fits: (head: Block) => fits([...whole, head]), mustCut: isFirst };
  const cut = !isFirst && fits([next]) ? null : cutBlock(next, fitting);
  if (cut !== null) {
    return { part: [...whole, cut.head], after: cut.tail === null ? later : [cut.tail, ...later] };
  }
  const part = withoutTrailingHeadings(whole);
  return { part, after: blocks.slice(part.length) };
}

/** A heading stays with the text below it, unless there is nothing else. */
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
  /** Whether to cut within a sentence if there is no better place. */
  readonly mustCut: boolean;
}

/**
 * Cuts a block so that its head fits. Links and inline code stay whole if possible, characters always. Returns null if
 * there is no good place to cut; never null if `mustCut` is set.
 */
function cutBlock(block: Block, { fits, mustCut }: Cutting): Cut | null {
  const text = blockText(block);
  const maxLength = largestWhere(text.length, (length) => fits(slice(block, 0, length)));
  const at = findBlockBreak(block, text, { maxLength, mustCut });
  if (at === null) return null;
  return { head: slice(block, 0, at), tail: at === text.length ? null : slice(block, at, text.length) };
}

function findBlockBreak(
  block: Block,
  text: string,
  { maxLength, mustCut }: { maxLength: number; mustCut: boolean },
): number | null {
  if (maxLength === text.length) return maxLength;
  const kinds: readonly BreakKind[] = block.kind === 'code' ? ['line'] : ['line', 'sentence'];
  const unbreakable = block.kind === 'code' ? [] : unbreakableRanges(block.spans);
  if (!mustCut) return findBreak(text, maxLength, kinds, unbreakable);
  const all: readonly BreakKind[] = [...kinds, 'word', 'letter'];
  return (
    findBreak(text, maxLength, all, unbreakable) ??
    findBreak(text, maxLength, all, []) ??
    codePointEnd(text, maxLength)
  );
}

/** If a grapheme is longer than a message, it is cut, but never within a code point. */
function codePointEnd(text: string, maxLength: number): number {
  const at = Math.max(1, maxLength);
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

/** Drops white space at the cut. Code keeps its indentation. */
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
  const trimmedSpans = [...spans];
  while (trimmedSpans[0]?.text.trim() === '') trimmedSpans.shift();
  while (trimmedSpans.at(-1)?.text.trim() === '') trimmedSpans.pop();
  return trimmedSpans.map(({ text, style }, index) => {
    const trimmedStart = index === 0 ? text.trimStart() : text;
    return { text: index === trimmedSpans.length - 1 ? trimmedStart.trimEnd() : trimmedStart, style };
  });
}

type BreakKind = 'line' | 'sentence' | 'word' | 'letter';

/** The range of a link or of inline code, which is not split. */
type UnbreakableRange = readonly [start: number, end: number];

/** The segmenter needs the following characters to find the end of a sentence or grapheme. */
const LOOK_AHEAD = 64;

const sentences = new Intl.Segmenter('und', { granularity: 'sentence' });
const letters = new Intl.Segmenter('und', { granularity: 'grapheme' });

const ends: Readonly<Record<BreakKind, (text: string, maxLength: number) => Iterable<number>>> = {
  line: (text) => matchEnds(text, /\n+/g),
  sentence: (text, maxLength) => segmentEnds(sentences, text.slice(0, maxLength + LOOK_AHEAD)),
  word: (text) => matchEnds(text, /\s+/g),
  letter: (text, maxLength) => segmentEnds(letters, text.slice(0, maxLength + LOOK_AHEAD)),
};

/**
 * Finds where to cut a text that is longer than `maxLength`: at the last break of the first kind that uses more than half
 * of it, otherwise at the last break of any kind. Returns null if there is none.
 */
function findBreak(
  text: string,
  maxLength: number,
  kinds: readonly BreakKind[],
  unbreakable: readonly UnbreakableRange[],
): number | null {
  const allowed = (index: number) =>
    index > 0 && index <= maxLength && !unbreakable.some(([start, end]) => index > start && index < end);
  let fallback: number | null = null;
  for (const kind of kinds) {
    const last = lastWithin(ends[kind](text.slice(0, maxLength + LOOK_AHEAD), maxLength), allowed);
    if (last !== null && last > maxLength / 2) return last;
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

/** Omits the last end, which is only where the text was cut off. */
function* segmentEnds(segmenter: Intl.Segmenter, text: string): Iterable<number> {
  for (const { index } of segmenter.segment(text)) yield index;
}

/** Returns the largest value from 0 to `max` that holds, by binary search; all smaller values must hold too. */
function largestWhere(max: number, holds: (value: number) => boolean): number {
  let [low, high] = [0, max];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Splits a text into its leading white space, its content and its trailing white space. */
export function splitMargins(text: string): {
  readonly before: string;
  readonly inner: string;
  readonly after: string;
} {
  const trimmedStart = text.trimStart();
  const inner = trimmedStart.trimEnd();
  return {
    before: text.slice(0, text.length - trimmedStart.length),
    inner,
    after: trimmedStart.slice(inner.length),
  };
}
