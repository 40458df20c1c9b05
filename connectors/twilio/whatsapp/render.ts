import type { OutboundPart, Reply } from '../../../core/contract/outbound.ts';
import { replyBlocks } from '../../shared/markdown/reply-blocks.ts';
import { splitBlocks } from '../../shared/markdown/split-blocks.ts';
import { manifest } from './manifest.ts';
import { writeMarkup } from './write-markup.ts';

/** What a phone shows of code without breaking its lines. */
const TABLE_COLUMNS = 34;
/** Nothing is sent that is empty. */
const NOTHING = '…';

/** One message or several, none of which is too long with its markup. */
export function render(reply: Pick<Reply, 'text' | 'sources'>): readonly OutboundPart[] {
  const blocks = replyBlocks(reply, TABLE_COLUMNS);
  const parts = splitBlocks(blocks, (some) => writeMarkup(some).length <= manifest.limits.textChars);
  const bodies = parts.map(writeMarkup).filter((body) => body.trim() !== '');
  return (bodies.length > 0 ? bodies : [NOTHING]).map((body) => ({ content: { body } }));
}
