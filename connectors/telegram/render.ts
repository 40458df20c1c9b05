import { z } from 'zod';
import type { ConversationRef } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { OutboundPart, Reply } from '../../core/contract/outbound.ts';
import type { Block, Span, Style, TextBlock } from '../shared/markdown/blocks.ts';
import { parseReply } from '../shared/markdown/read-markdown.ts';
import { splitBlocks } from '../shared/markdown/split-blocks.ts';
import { escapeHtml, renderHtmlSpans, renderPlainText } from '../shared/markdown/write-blocks.ts';
import { buildKeyboard } from './buttons.ts';
import { parseAddress, parseMessageId } from './identifiers.ts';
import { manifest, type TelegramAccount } from './manifest.ts';

/** What a phone shows of code without breaking its lines. */
const TABLE_COLUMNS = 40;
/** Telegram forgets what a message has more of. */
const MAX_ENTITIES = 100;
/** Telegram sends nothing that is empty. */
const NOTHING = '…';

/** One message of Telegram or several, none of which is too long with its markup or without. */
export function render(reply: Reply, to: ConversationRef, account: TelegramAccount): readonly OutboundPart[] {
  const blocks = parseReply(reply, TABLE_COLUMNS);
  const answered = repliedMessage(reply, to);
  const parts = splitBlocks(blocks, fits).map(renderPart);
  const sent = parts.length > 0 ? parts : [{ html: NOTHING, text: NOTHING }];
  const keyboard = buildKeyboard(reply, account);
  return sent.map((part, index) => ({
    content: {
      ...part,
      replyTo: index === 0 ? answered : null,
      ...(index === sent.length - 1 && keyboard.length > 0 && { keyboard }),
    },
  }));
}

function renderPart(blocks: readonly Block[]) {
  const isRich = countEntities(blocks, countStyles) > MAX_ENTITIES;
  return { html: renderHtml(isRich ? blocks.map(withoutStyles) : blocks), text: renderPlainText(blocks) };
}

/** Links are written out in the plain text, so that is never the shorter one. */
function fits(blocks: readonly Block[]): boolean {
  if (countEntities(blocks, ({ link }) => (link === undefined ? 0 : 1)) > MAX_ENTITIES) return false;
  return renderPlainText(blocks).length <= manifest.limits.textChars;
}

function countStyles(style: Style): number {
  return Object.keys(style).length;
}

/** No more of a text than what leads somewhere, so that this is not among what Telegram forgets. */
function withoutStyles(block: Block): Block {
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
function repliedMessage({ replyTo }: Reply, to: ConversationRef): number | null {
  const { kind, chat } = parseAddress(to);
  if (kind === 'private' || replyTo === null) return null;
  const place = parseMessageId(replyTo);
  return place?.chat === chat ? place.message : null;
}

const schema = z.object({
  html: z.string(),
  /** The same without markup, for when Telegram refuses ours. */
  text: z.string(),
  /** The number, in the chat, of the message that it answers. */
  replyTo: z.int().nullable(),
  /** What stands under it to be pressed, in rows. */
  keyboard: z.array(z.array(z.object({ text: z.string(), callback_data: z.string() }))).default([]),
});

export type Part = z.infer<typeof schema>;

export function parsePart({ content }: OutboundPart): Part {
  const read = schema.safeParse(content);
  if (read.success) return read.data;
  throw new ConnectorError('This is not a message for Telegram.', { advice: { retry: 'never' } });
}

/** Blocks in the HTML that Telegram understands: few tags, no paragraphs, line feeds as they are. */
function renderHtml(blocks: readonly Block[]): string {
  return (
    blocks.map((block, index) => blockSeparator(block, blocks[index - 1]) + renderBlock(block)).join('') +
    closing(blocks)
  );
}

/** Neighbours in a quotation share one; code stands outside of it, for Telegram takes no code within. */
function blockSeparator(block: Block, before: Block | undefined): string {
  const opened = isInQuote(block) && !(before && isInQuote(before)) ? '<blockquote>' : '';
  if (before === undefined) return opened;
  const closed = isInQuote(before) && !isInQuote(block) ? '</blockquote>' : '';
  return `${closed}${block.tight ? '\n' : '\n\n'}${opened}`;
}

function closing(blocks: readonly Block[]): string {
  const last = blocks.at(-1);
  return last !== undefined && isInQuote(last) ? '</blockquote>' : '';
}

function isInQuote(block: Block): boolean {
  return block.quoted && block.kind === 'text';
}

function renderBlock(block: Block): string {
  if (block.kind === 'text') return renderTextBlock(block);
  const code = escapeHtml(block.text);
  if (block.language === null) return `<pre>${code}</pre>`;
  return `<pre><code class="language-${escapeHtml(block.language)}">${code}</code></pre>`;
}

function renderTextBlock({ prefix, heading, spans }: TextBlock): string {
  return escapeHtml(prefix) + renderHtmlSpans(spans, (span) => renderSpan(span, heading !== null));
}

/** Telegram takes neither looks nor links within code. */
function renderSpan({ text, style }: Span, isHeading: boolean): string {
  if (style.code === true && style.link === undefined) return `<code>${escapeHtml(text)}</code>`;
  return styleTags(isHeading ? { ...style, bold: true } : style).reduce(
    (inner, tag) => `<${tag}>${inner}</${tag}>`,
    escapeHtml(text),
  );
}

function styleTags(style: Style): readonly string[] {
  const tags = { b: style.bold, i: style.italic, u: style.underline, s: style.strike };
  return Object.entries(tags).flatMap(([tag, has]) => (has === true ? [tag] : []));
}
