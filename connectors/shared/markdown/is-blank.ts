import type { Block } from './block.ts';

/** Whether there is nothing to see of it. */
export function isBlank(block: Block): boolean {
  if (block.kind === 'code') return block.text.trim() === '';
  return block.prefix.trim() === '' && block.spans.every(({ text }) => text.trim() === '');
}
