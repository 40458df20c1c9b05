import type { ConversationRef } from '../../core/contract/account.ts';
import type { OutboundPart, Reply } from '../../core/contract/outbound.ts';
import type { Block, Style } from '../shared/markdown/block.ts';
import { plainText } from '../shared/markdown/plain-text.ts';
import { replyBlocks } from '../shared/markdown/reply-blocks.ts';
import { splitBlocks } from '../shared/markdown/split-blocks.ts';
import { addressOf } from './address.ts';
import { keyboardOf } from './keyboard.ts';
import { manifest, type TelegramAccount } from './manifest.ts';
import { readMessageId } from './message-id.ts';
import { writeHtml } from './write-html.ts';

/** What a phone shows of code without breaking its lines. */
const TABLE_COLUMNS = 40;
/** Telegram forgets what a message has more of. */
const MAX_ENTITIES = 100;
/** Telegram sends nothing that is empty. */
const NOTHING = '…';

/** One message of Telegram or several, none of which is too long with its markup or without. */
export function render(reply: Reply, to: ConversationRef, account: TelegramAccount): readonly OutboundPart[] {
  const blocks = replyBlocks(reply, TABLE_COLUMNS);
  const answered = answeredBy(reply, to);
  const parts = splitBlocks(blocks, fits).map(written);
  const sent = parts.length > 0 ? parts : [{ html: NOTHING, text: NOTHING }];
  const keyboard = keyboardOf(reply, account);
  return sent.map((part, index) => ({
    content: {
      ...part,
      replyTo: index === 0 ? answered : null,
      ...(index === sent.length - 1 && keyboard.length > 0 && { keyboard }),
    },
  }));
}

function written(blocks: readonly Block[]) {
  const isRich = countEntities(blocks, looksOf) > MAX_ENTITIES;
  return { html: writeHtml(isRich ? blocks.map(withoutLooks) : blocks), text: plainText(blocks) };
}

/** Links are written out in the plain text, so that is never the shorter one. */
function fits(blocks: readonly Block[]): boolean {
  if (countEntities(blocks, ({ link }) => (link === undefined ? 0 : 1)) > MAX_ENTITIES) return false;
  return plainText(blocks).length <= manifest.limits.textChars;
}

function looksOf(style: Style): number {
  return Object.keys(style).length;
}

/** No more of a text than what leads somewhere, so that this is not among what Telegram forgets. */
function withoutLooks(block: Block): Block {
  if (block.kind === 'code') return block;
  const spans = block.spans.map(({ text, style: { link } }) => ({
    text,
    style: link === undefined ? {} : { link },
  }));
  return { ...block, heading: null, spans };
}

function countEntities(blocks: readonly Block[], entitiesOf: (style: Style) => number): number {
  return blocks.reduce((sum, block, index) => {
    if (block.kind === 'code') return sum + 1;
    const before = blocks[index - 1];
    const opens = block.quoted && !(before?.quoted === true && before.kind === 'text') ? 1 : 0;
    return (
      sum +
      opens +
      block.spans.reduce((all, { style }) => all + entitiesOf(style) + (block.heading ? 1 : 0), 0)
    );
  }, 0);
}

/** In a group it has to be seen whom an answer is for. */
function answeredBy({ replyTo }: Reply, to: ConversationRef): number | null {
  const { kind, chat } = addressOf(to);
  if (kind === 'private' || replyTo === null) return null;
  const place = readMessageId(replyTo);
  return place?.chat === chat ? place.message : null;
}
