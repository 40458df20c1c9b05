import type { ConversationRef, OutboundPart, Reply } from '../../core/contract/connector.ts';
import type { Block } from '../shared/markdown/block.ts';
import { plainText } from '../shared/markdown/plain-text.ts';
import { readMarkdown } from '../shared/markdown/read-markdown.ts';
import { sourceBlocks } from '../shared/markdown/source-blocks.ts';
import { splitBlocks } from '../shared/markdown/split-blocks.ts';
import { addressOf } from './address.ts';
import { manifest } from './manifest.ts';
import { readMessageId } from './message-id.ts';
import type { Part } from './part.ts';
import { writeHtml } from './write-html.ts';

/** What a phone shows of code without breaking its lines. */
const TABLE_COLUMNS = 40;
/** Telegram forgets what a message has more of. */
const MAX_ENTITIES = 100;
/** Telegram sends nothing that is empty. */
const NOTHING = '…';

/** One message of Telegram or several, none of which is too long with its markup or without. */
export function render(reply: Reply, to: ConversationRef): readonly OutboundPart[] {
  const blocks = [
    ...readMarkdown(reply.text, { tableColumns: TABLE_COLUMNS }),
    ...sourceBlocks(reply.sources),
  ];
  const answered = answeredBy(reply, to);
  const parts = splitBlocks(blocks, fits)
    .map(written)
    .filter(({ text }) => text.trim() !== '');
  const sent = parts.length > 0 ? parts : [{ html: NOTHING, text: NOTHING }];
  return sent.map((part, index): { content: Part } => ({
    content: { ...part, replyTo: index === 0 ? answered : null },
  }));
}

function written(blocks: readonly Block[]) {
  return { html: writeHtml(blocks), text: plainText(blocks) };
}

/** Links are written out in the plain text, so that is never the shorter one. */
function fits(blocks: readonly Block[]): boolean {
  return plainText(blocks).length <= manifest.limits.textChars && entitiesOf(blocks) <= MAX_ENTITIES;
}

function entitiesOf(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => {
    const own = block.kind === 'code' ? 1 : block.spans.reduce((all, { style }) => all + marksOf(style), 0);
    return sum + own + (block.quoted ? 1 : 0) + (block.kind === 'text' && block.heading !== null ? 1 : 0);
  }, 0);
}

function marksOf(style: object): number {
  return Object.keys(style).length;
}

/** In a group it has to be seen whom an answer is for. */
function answeredBy({ replyTo }: Reply, to: ConversationRef): number | null {
  const { kind, chat } = addressOf(to);
  if (kind === 'private' || replyTo === null) return null;
  const place = readMessageId(replyTo);
  return place?.chat === chat ? place.message : null;
}
