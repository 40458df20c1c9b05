import type { Block, Span, TextBlock } from './block.ts';
import { type BreakKind, findBreak, type Whole } from './find-break.ts';
import { largest } from './largest.ts';

export interface Cut {
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
export function cutBlock(block: Block, { fits, must }: Cutting): Cut | null {
  const text = textOf(block);
  const room = largest(text.length, (length) => fits(slice(block, 0, length)));
  const at = breakOf(block, text, { room, must });
  if (at === null) return null;
  return { head: slice(block, 0, at), tail: at === text.length ? null : slice(block, at, text.length) };
}

function breakOf(block: Block, text: string, { room, must }: { room: number; must: boolean }): number | null {
  if (room === text.length) return room;
  const kinds: readonly BreakKind[] = block.kind === 'code' ? ['line'] : ['line', 'sentence'];
  const wholes = block.kind === 'code' ? [] : wholesOf(block.spans);
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

function wholesOf(spans: readonly Span[]): readonly Whole[] {
  let start = 0;
  return spans.flatMap(({ text, style }) => {
    const whole: Whole = [start, start + text.length];
    start += text.length;
    return style.link !== undefined || style.code === true ? [whole] : [];
  });
}

function textOf(block: Block): string {
  return block.kind === 'code' ? block.text : block.spans.map(({ text }) => text).join('');
}

/** The white space at a cut belongs to neither side, but code keeps how far its lines are moved in. */
function slice(block: Block, start: number, end: number): Block {
  if (start === 0 && end === textOf(block).length) return block;
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
