import type { Block } from './block.ts';
import { cutBlock } from './cut-block.ts';
import { isBlank } from './is-blank.ts';
import { largest } from './largest.ts';

/** Whether a message of these blocks is within the limits of the platform. */
export type Fits = (blocks: readonly Block[]) => boolean;

/**
 * Deals blocks to as few messages as their order allows. A block that fits a message stays whole; one that fits none
 * is cut, and both sides keep its looks: code goes on as code in its language, a link as a link.
 */
export function splitBlocks(blocks: readonly Block[], fits: Fits): readonly (readonly Block[])[] {
  const parts: (readonly Block[])[] = [];
  let rest = blocks;
  while (rest.length > 0) {
    const { part, after } = takePart(rest, fits);
    parts.push(part.filter((block) => !isBlank(block)));
    rest = after;
  }
  return parts.filter((part) => part.length > 0);
}

function takePart(blocks: readonly Block[], fits: Fits): { part: readonly Block[]; after: readonly Block[] } {
  const count = largest(blocks.length, (length) => fits(blocks.slice(0, length)));
  const [whole, next, later] = [blocks.slice(0, count), blocks[count], blocks.slice(count + 1)];
  if (next === undefined) return { part: whole, after: [] };
  const isFirst = count === 0;
  const fitting = { fits: (head: Block) => fits([...whole, head]), must: isFirst };
  const cut = !isFirst && fits([next]) ? null : cutBlock(next, fitting);
  if (cut !== null) {
    return { part: [...whole, cut.head], after: cut.tail === null ? later : [cut.tail, ...later] };
  }
  const part = withoutLastHeadings(whole);
  return { part, after: blocks.slice(part.length) };
}

/** A heading goes with what it is over, unless there is nothing else. */
function withoutLastHeadings(blocks: readonly Block[]): readonly Block[] {
  const last = blocks.findLastIndex((block) => block.kind === 'code' || block.heading === null);
  return last < 0 ? blocks : blocks.slice(0, last + 1);
}
