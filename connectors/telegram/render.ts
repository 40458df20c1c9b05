import { z } from 'zod';
import type { ConversationRef } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import { type OutboundPart, type Reply, type ReplyFile, splitFiles } from '../../core/contract/outbound.ts';
import type { Block, Span, Style, TextBlock } from '../shared/markdown/blocks.ts';
import { escapeHtml, renderHtmlSpans, renderPlainText } from '../shared/markdown/blocks.ts';
import { parseReply } from '../shared/markdown/read-markdown.ts';
import { splitBlocks } from '../shared/markdown/split-blocks.ts';
import { withPersonLine } from '../shared/offer-texts.ts';
import { buildKeyboard } from './buttons.ts';
import { parseAddress, parseMessageId } from './identifiers.ts';
import { manifest, type TelegramAccount } from './manifest.ts';

/** The width of a code block that a phone shows without breaking lines. */
const TABLE_COLUMNS = 40;
/** Telegram ignores further entities of a message. */
const MAX_ENTITIES = 100;
/** Telegram refuses an empty message. */
const EMPTY_MESSAGE = '…';

/** Renders a reply as one or several messages, each within Telegram's limit with its markup and without. */
export function render(whole: Reply, to: ConversationRef, account: TelegramAccount): readonly OutboundPart[] {
  const reply = account.settings.buttons === false ? withPersonLine(whole) : whole;
  const { shown, rest } = splitFiles(reply, (file) => methodOf(file) !== null);
  const files = shown.map((file) => ({ content: fileContent(file) }));
  return rest.text === '' && files.length > 0 ? files : [...renderText(rest, to, account), ...files];
}

const MAX_PHOTO_BYTES = 5_000_000;

/** Returns how Telegram takes a file that it fetches by its link; null for types that it refuses to fetch. */
function methodOf({ contentType, byteCount }: ReplyFile): 'sendPhoto' | 'sendDocument' | null {
  if (['image/jpeg', 'image/png'].includes(contentType) && byteCount <= MAX_PHOTO_BYTES) return 'sendPhoto';
  return ['image/gif', 'application/pdf', 'application/zip'].includes(contentType) ? 'sendDocument' : null;
}

/** The text is sent if Telegram cannot fetch the file. */
function fileContent(file: ReplyFile) {
  const { name, url } = file;
  const link = `<a href="${escapeHtml(url)}">${escapeHtml(name)}</a>`;
  const method = methodOf(file) ?? 'sendDocument';
  return { html: link, text: `${name}: ${url}`, replyTo: null, file: { method, name, url } };
}

function renderText(reply: Reply, to: ConversationRef, account: TelegramAccount): readonly OutboundPart[] {
  const blocks = parseReply(reply, TABLE_COLUMNS);
  const replyTo = repliedMessage(reply, to);
  const parts = splitBlocks(blocks, fits).map(renderPart);
  const messages = parts.length > 0 ? parts : [{ html: EMPTY_MESSAGE, text: EMPTY_MESSAGE }];
  const keyboard = buildKeyboard(reply, account);
  return messages.map((part, index) => ({
    content: {
      ...part,
      replyTo: index === 0 ? replyTo : null,
      ...(index === messages.length - 1 && keyboard.length > 0 && { keyboard }),
    },
  }));
}

function renderPart(blocks: readonly Block[]) {
  const isRich = countEntities(blocks, countStyles) > MAX_ENTITIES;
  return { html: renderHtml(isRich ? blocks.map(withoutStyles) : blocks), text: renderPlainText(blocks) };
}

/** Returns whether blocks fit one message. The plain text contains the link addresses, so it is never the shorter form. */
function fits(blocks: readonly Block[]): boolean {
  if (countEntities(blocks, ({ link }) => (link === undefined ? 0 : 1)) > MAX_ENTITIES) return false;
  return renderPlainText(blocks).length <= manifest.limits.textChars;
}

function countStyles(style: Style): number {
  return Object.keys(style).length;
}

/** Removes all styles except links, so that links are not among the entities that Telegram ignores. */
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

/** Returns the message to reply to; null in a private chat. In a group the reply shows which question is answered. */
function repliedMessage({ replyTo }: Reply, to: ConversationRef): number | null {
  const { kind, chat } = parseAddress(to);
  if (kind === 'private' || replyTo === null) return null;
  const target = parseMessageId(replyTo);
  return target?.chat === chat ? target.message : null;
}

const schema = z.object({
  html: z.string(),
  /** The same content without markup: the fallback if Telegram refuses the markup. */
  text: z.string(),
  /** The number of the message to reply to, in the same chat. */
  replyTo: z.int().nullable(),
  /** A file that Telegram fetches by its link. */
  file: z
    .object({ method: z.enum(['sendPhoto', 'sendDocument']), name: z.string(), url: z.string() })
    .exactOptional(),
  /** The buttons below the message, in rows. */
  keyboard: z.array(z.array(z.object({ text: z.string(), callback_data: z.string() }))).default([]),
});

export type Part = z.infer<typeof schema>;

export function parsePart({ content }: OutboundPart): Part {
  const parsed = schema.safeParse(content);
  if (parsed.success) return parsed.data;
  throw new ConnectorError('The stored part is not a Telegram message.', { advice: { retry: 'never' } });
}

/** Renders blocks in Telegram's HTML, which has few tags and no paragraphs; line feeds stay line feeds. */
function renderHtml(blocks: readonly Block[]): string {
  return (
    blocks.map((block, index) => blockSeparator(block, blocks[index - 1]) + renderBlock(block)).join('') +
    closingTag(blocks)
  );
}

/** Adjacent quoted blocks share one quotation. Code is never quoted, because Telegram does not support code in one. */
function blockSeparator(block: Block, before: Block | undefined): string {
  const opening = isInQuote(block) && !(before && isInQuote(before)) ? '<blockquote>' : '';
  if (before === undefined) return opening;
  const closing = isInQuote(before) && !isInQuote(block) ? '</blockquote>' : '';
  return `${closing}${block.tight ? '\n' : '\n\n'}${opening}`;
}

function closingTag(blocks: readonly Block[]): string {
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

/** Telegram supports neither styles nor links within code. */
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
