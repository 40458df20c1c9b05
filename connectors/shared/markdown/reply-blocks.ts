import type { Reply } from '../../../core/contract/outbound.ts';
import type { Block } from './block.ts';
import { readMarkdown } from './read-markdown.ts';
import { sourceBlocks } from './source-blocks.ts';

/** All that a reply says: its words, and below them where these are from. */
export function replyBlocks(
  { text, sources }: Pick<Reply, 'text' | 'sources'>,
  tableColumns: number,
): readonly Block[] {
  return [...readMarkdown(text, { tableColumns }), ...sourceBlocks(sources)];
}
