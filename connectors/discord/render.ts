import type { ConversationRef } from '../../core/contract/account.ts';
import type { OutboundPart, Reply } from '../../core/contract/outbound.ts';
import type { Block } from '../shared/markdown/block.ts';
import { replyBlocks } from '../shared/markdown/reply-blocks.ts';
import { splitBlocks } from '../shared/markdown/split-blocks.ts';
import { type Address, addressOf } from './address.ts';
import { type DiscordAccount, manifest } from './manifest.ts';
import { readMessageId } from './message-id.ts';
import type { Part } from './part.ts';
import { writeMarkdown } from './write-markdown.ts';

/** What a phone shows of code without breaking its lines. */
const TABLE_COLUMNS = 40;
const MAX_LINK = 1_500;
/** Discord sends nothing that is empty. */
const NOTHING = '…';

/** One message of Discord or several, each of which stands by itself. What can be pressed stands under the last. */
export function render(
  reply: Reply,
  to: ConversationRef,
  { settings }: DiscordAccount,
): readonly OutboundPart[] {
  const blocks = replyBlocks(reply, TABLE_COLUMNS);
  const address = addressOf(to);
  const texts = splitBlocks(blocks.map(withoutLongLinks), fits).map(writeMarkdown);
  const sent = texts.length > 0 ? texts : [NOTHING];
  const offers = settings.buttons === false ? [] : reply.offers;
  return sent.map((text, index): { content: Part } => ({
    content: {
      text,
      offers: index === sent.length - 1 ? [...offers] : [],
      language: reply.language ?? null,
      replyTo: index === 0 ? answeredBy(reply, address) : null,
      interaction: address.interaction,
      isFirst: index === 0,
      author: reply.author,
    },
  }));
}

/** A link longer than a message could never be sent: its text is. */
function withoutLongLinks(block: Block): Block {
  if (block.kind === 'code') return block;
  const spans = block.spans.map(({ text, style: { link, ...looks } }) => ({
    text,
    style: link === undefined || link.length > MAX_LINK ? looks : { ...looks, link },
  }));
  return { ...block, spans };
}

function fits(blocks: readonly Block[]): boolean {
  return writeMarkdown(blocks).length <= manifest.limits.textChars;
}

/** In a channel it has to be seen whom an answer is for. */
function answeredBy({ replyTo }: Reply, address: Address): string | null {
  if (address.kind !== 'channel' && address.kind !== 'question') return null;
  const place = replyTo === null ? null : readMessageId(replyTo);
  return place?.channel === address.channel ? place.message : address.message;
}
