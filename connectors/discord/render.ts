import { z } from 'zod';
import type { ConversationRef } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import { offers as knownOffers, type OutboundPart, type Reply } from '../../core/contract/outbound.ts';
import { optionalField } from '../shared/http.ts';
import {
  type Block,
  type CodeBlock,
  groupByLink,
  type Span,
  type Style,
  type TextBlock,
} from '../shared/markdown/blocks.ts';
import { parseReply } from '../shared/markdown/read-markdown.ts';
import { splitBlocks, splitMargins } from '../shared/markdown/split-blocks.ts';
import { withPersonLine } from '../shared/offer-texts.ts';
import { type Address, parseAddress, parseMessageId } from './identifiers.ts';
import { pendingInteractionSchema } from './interactions.ts';
import { type DiscordAccount, manifest } from './manifest.ts';

/** The width of a code block that a phone shows without breaking lines. */
const TABLE_COLUMNS = 40;
const MAX_LINK = 1_500;
/** Discord refuses an empty message. */
const EMPTY_MESSAGE = '…';

/** Renders a reply as one or several messages with self-contained Markdown. Only the last one has buttons. */
export function render(
  whole: Reply,
  to: ConversationRef,
  { settings }: DiscordAccount,
): readonly OutboundPart[] {
  const hasButtons = settings.buttons !== false;
  const reply = hasButtons ? whole : withPersonLine(whole);
  const blocks = parseReply(reply, TABLE_COLUMNS);
  const address = parseAddress(to);
  const texts = splitBlocks(blocks.map(withoutLongLinks), fits).map(renderMarkdown);
  const messages = texts.length > 0 ? texts : [EMPTY_MESSAGE];
  const offers = hasButtons ? reply.offers : [];
  return messages.map((text, index): { content: Part } => ({
    content: {
      text,
      offers: index === messages.length - 1 ? [...offers] : [],
      language: reply.language ?? null,
      replyTo: index === 0 ? repliedMessage(reply, address) : null,
      interaction: address.interaction,
      isFirst: index === 0,
      author: reply.author,
    },
  }));
}

/** A link that does not fit a message becomes its text. */
function withoutLongLinks(block: Block): Block {
  if (block.kind === 'code') return block;
  const spans = block.spans.map(({ text, style: { link, ...style } }) => ({
    text,
    style: link === undefined || link.length > MAX_LINK ? style : { ...style, link },
  }));
  return { ...block, spans };
}

function fits(blocks: readonly Block[]): boolean {
  return renderMarkdown(blocks).length <= manifest.limits.textChars;
}

/** Returns the message to reply to. In a channel the reply shows which question is answered. */
function repliedMessage({ replyTo }: Reply, address: Address): string | null {
  if (address.kind !== 'channel' && address.kind !== 'question') return null;
  const target = replyTo === null ? null : parseMessageId(replyTo);
  return target?.channel === address.channel ? target.message : address.message;
}

const schema = z.object({
  text: z.string(),
  /** The buttons below the message. */
  offers: z.array(z.enum(knownOffers)),
  /** The visitor's language, for the button labels. */
  language: optionalField(z.string()),
  /** The message to reply to. */
  replyTo: z.string().nullable(),
  /** The command to answer. */
  interaction: optionalField(pendingInteractionSchema),
  /** The first part replaces the "thinking" state. */
  isFirst: z.boolean(),
  /** A message of an agent never replaces an answer that exists already. */
  author: z.enum(['bot', 'agent']),
});

export type Part = z.infer<typeof schema>;

export function parsePart({ content }: OutboundPart): Part {
  const parsed = schema.safeParse(content);
  if (parsed.success) return parsed.data;
  throw new ConnectorError('The stored part is not a Discord message.', { advice: { retry: 'never' } });
}

/** Discord supports three levels of headings. */
const MAX_HEADING_LEVEL = 3;

/** Renders blocks in Discord's Markdown. */
export function renderMarkdown(blocks: readonly Block[]): string {
  return blocks.map((block, index) => separator(block, index) + renderBlock(block)).join('');
}

function separator(block: Block, index: number): string {
  if (index === 0) return '';
  return block.tight || block.kind === 'code' ? '\n' : '\n\n';
}

/** A code block is never quoted, because the quotation marks would become part of the code. */
function renderBlock(block: Block): string {
  if (block.kind === 'code') return renderCodeBlock(block);
  const text = renderTextBlock(block);
  return block.quoted ? text.replaceAll(/^/gm, '> ') : text;
}

function renderTextBlock({ prefix, heading, spans }: TextBlock): string {
  const text = groupByLink(spans).map(renderLink).reduce(joinRuns, '');
  // A heading ends at the first line break, so text of several lines is not rendered as a heading.
  const isHeading = heading !== null && !text.includes('\n') && text.trim() !== '';
  const mark = isHeading
    ? `${'#'.repeat(Math.min(heading, MAX_HEADING_LEVEL))} `
    : prefix.replace('• ', '- ');
  return mark + escapeLines(text);
}

/** Separates the marks of adjacent runs, which Discord would otherwise read as one mark. */
function joinRuns(before: string, after: string): string {
  return /[`*_~]$/.test(before) && /^[`*_~]/.test(after)
    ? `${before}${ZERO_WIDTH_SPACE}${after}`
    : before + after;
}

type Run = ReturnType<typeof groupByLink>[number];

/**
 * Renders a link in angle brackets, which suppress the preview. Discord does not accept a link text that contains an address,
 * brackets or a line break, so the address then follows the text.
 */
function renderLink({ link, spans }: Run): string {
  const inner = renderSpans(spans);
  if (link === null) return inner;
  const text = spans.map((span) => span.text).join('');
  if (text === link || text.trim() === '') return `<${link}>`;
  if (/:\/\/|[[\]\n]/.test(text)) return `${inner} (<${link}>)`;
  return `[${inner}](<${link}>)`;
}

type MarkStyle = 'strike' | 'underline' | 'bold' | 'italic';

/** The marks, from the outermost to the innermost. */
const STYLE_MARKS: readonly (readonly [MarkStyle, string])[] = [
  ['strike', '~~'],
  ['underline', '__'],
  ['bold', '**'],
  ['italic', '*'],
];

/** Separates adjacent marks, and breaks up a fence inside code, invisibly. */
const ZERO_WIDTH_SPACE = '\u200b';

/** Renders styled spans with as few opening and closing marks as possible. */
function renderSpans(spans: readonly Span[]): string {
  let output = '';
  let open: readonly MarkStyle[] = [];
  const switchTo = (wanted: readonly MarkStyle[]) => {
    const firstDifference = open.findIndex((style, index) => wanted[index] !== style);
    const common = firstDifference < 0 ? open.length : firstDifference;
    const closing = open.slice(common).toReversed().map(styleMark).join('');
    const opening = wanted.slice(common).map(styleMark).join('');
    if (closing !== '' && output.endsWith(closing.slice(0, 1))) output += ZERO_WIDTH_SPACE;
    output += closing + (closing !== '' && opening !== '' ? ZERO_WIDTH_SPACE : '') + opening;
    open = wanted;
  };
  for (const { text, style } of spans) {
    // Discord recognises marks only next to text, so white space stays outside.
    const { before, inner, after } = splitMargins(text);
    if (inner === '') {
      switchTo([]);
      output += text;
      continue;
    }
    const code = style.code === true ? renderInlineCode(inner) : null;
    // Discord also matches closing marks inside code, so code has no marks around it.
    const wanted = code === null ? spanStyles(style) : [];
    if (before !== '') switchTo([]);
    output += before;
    if (wanted.join() !== open.join()) switchTo(wanted);
    if (code !== null && output.endsWith('`')) output += ZERO_WIDTH_SPACE;
    output += code ?? escapeMarks(inner);
    if (after !== '') switchTo([]);
    output += after;
  }
  switchTo([]);
  return output;
}

function spanStyles(style: Style): readonly MarkStyle[] {
  return STYLE_MARKS.flatMap(([look]) => (style[look] === true ? [look] : []));
}

function styleMark(look: MarkStyle): string {
  return STYLE_MARKS.find(([name]) => name === look)?.[1] ?? '';
}

/** Escapes characters that would format, link, mention or hide text by accident. */
function escapeMarks(text: string): string {
  return text.replaceAll(/[\\*_~`|[\]<]|@(?=everyone|here)|:(?=\/\/)/g, '\\$&');
}

/** Escapes marks that have a meaning only at the start of a line: headings, quotations, lists and small print. */
function escapeLines(text: string): string {
  return text
    .replaceAll(/^([^\S\n\r\u2028\u2029]*)(#{1,3}(?=\s)|>(?:>>)?(?=\s)|-(?=#?\s)|\+(?=\s))/gm, '$1\\$2')
    .replaceAll(/^([^\S\n\r\u2028\u2029]*\d+)(?=[.)]\s)/gm, '$1\\');
}

/** Renders a code block. A fence within the code is broken up, because it would end the block. */
function renderCodeBlock({ language, text }: CodeBlock): string {
  const name = language !== null && /^[\w+#.-]{1,32}$/.test(language) ? language : '';
  const inner = text.replaceAll('```', `\`\`${ZERO_WIDTH_SPACE}\``);
  return `\`\`\`${name}\n${inner}\n\`\`\``;
}

/** Renders inline code; null for text that no delimiter can enclose. */
function renderInlineCode(text: string): string | null {
  const line = text.replaceAll('\n', ' ');
  if (line.trim() === '' || line.includes('``')) return null;
  return line.includes('`') ? `\`\` ${line} \`\`` : `\`${line}\``;
}
