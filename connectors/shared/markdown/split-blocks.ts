import type { Block } from './block.ts';
import { cutBlock } from './cut-block.ts';

/** Whether a message of these blocks is within the limits of the platform. */
export type Fits = (blocks: readonly Block[]) => boolean;

/**
 * Deals blocks to as few messages as their order allows. A block that fits a message stays whole; one that fits none
 * is cut, and both sides keep its looks: code goes on as code in its language, a link as a link.
 */
export function splitBlocks(blocks: readonly Block[], fits: Fits): readonly (readonly Block[])[] {
  const parts: (readonly Block[])[] = [];
  const waiting = blocks.toReversed();
  let open: readonly Block[] = [];
  for (let block = waiting.pop(); block !== undefined; block = waiting.pop()) {
    if (fits([...open, block])) {
      open = [...open, block];
      continue;
    }
    const before = open;
    const cut = open.length > 0 && fits([block]) ? null : cutBlock(block, cutting(before, fits));
    if (cut === null) {
      const { kept, moved } = withoutLastHeadings(before);
      parts.push(kept);
      waiting.push(block, ...moved.toReversed());
    } else {
      parts.push([...before, cut.head]);
      if (cut.tail !== null) waiting.push(cut.tail);
    }
    open = [];
  }
  return open.length > 0 ? [...parts, open] : parts;
}

function cutting(before: readonly Block[], fits: Fits) {
  return { fits: (head: Block) => fits([...before, head]), must: before.length === 0 };
}

/** A heading goes where what it is over goes, unless there is nothing else. */
function withoutLastHeadings(blocks: readonly Block[]): { kept: readonly Block[]; moved: readonly Block[] } {
  const last = blocks.findLastIndex((block) => block.kind === 'code' || block.heading === null);
  if (last < 0) return { kept: blocks, moved: [] };
  return { kept: blocks.slice(0, last + 1), moved: blocks.slice(last + 1) };
}
