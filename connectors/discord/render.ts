import { z } from 'zod';
import type { ConversationRef } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { OutboundPart, Reply } from '../../core/contract/outbound.ts';
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
import { optionalField } from '../shared/payload.ts';
import { type Address, parseAddress, parseMessageId } from './identifiers.ts';
import { pendingInteractionSchema } from './interactions.ts';
import { type DiscordAccount, manifest } from './manifest.ts';

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
  const blocks = parseReply(reply, TABLE_COLUMNS);
  const address = parseAddress(to);
  const texts = splitBlocks(blocks.map(withoutLongLinks), fits).map(renderMarkdown);
  const sent = texts.length > 0 ? texts : [NOTHING];
  const offers = settings.buttons === false ? [] : reply.offers;
  return sent.map((text, index): { content: Part } => ({
    content: {
      text,
      offers: index === sent.length - 1 ? [...offers] : [],
      language: reply.language ?? null,
      replyTo: index === 0 ? repliedMessage(reply, address) : null,
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
  return renderMarkdown(blocks).length <= manifest.limits.textChars;
}

/** In a channel it has to be seen whom an answer is for. */
function repliedMessage({ replyTo }: Reply, address: Address): string | null {
  if (address.kind !== 'channel' && address.kind !== 'question') return null;
  const place = replyTo === null ? null : parseMessageId(replyTo);
  return place?.channel === address.channel ? place.message : address.message;
}

const schema = z.object({
  text: z.string(),
  /** What can be pressed under it. */
  offers: z.array(z.enum(['feedback', 'human'])),
  /** Of the visitor: what can be pressed is named in it. */
  language: optionalField(z.string()),
  /** The message that it answers, by a reply. */
  replyTo: z.string().nullable(),
  /** The command that it answers. */
  interaction: optionalField(pendingInteractionSchema),
  /** The first part takes the place of "thinking". */
  isFirst: z.boolean(),
  /** A person's word never takes the place of an answer that is there already. */
  author: z.enum(['bot', 'agent']),
});

export type Part = z.infer<typeof schema>;

export function parsePart({ content }: OutboundPart): Part {
  const read = schema.safeParse(content);
  if (read.success) return read.data;
  throw new ConnectorError('This is not a message for Discord.', { advice: { retry: 'never' } });
}

/** Discord knows three sizes of headings. */
const SMALLEST = 3;

/** Blocks in Discord's own Markdown. */
export function renderMarkdown(blocks: readonly Block[]): string {
  return blocks.map((block, index) => separator(block, index) + renderBlock(block)).join('');
}

function separator(block: Block, index: number): string {
  if (index === 0) return '';
  return block.tight || block.kind === 'code' ? '\n' : '\n\n';
}

/** Code stands outside of a quotation, whose marks would be part of it. */
function renderBlock(block: Block): string {
  if (block.kind === 'code') return renderCodeBlock(block);
  const text = renderTextBlock(block);
  return block.quoted ? text.replaceAll(/^/gm, '> ') : text;
}

function renderTextBlock({ prefix, heading, spans }: TextBlock): string {
  const text = groupByLink(spans).map(renderLink).reduce(joinRuns, '');
  // What is written in several lines is no heading after the first one.
  const isHeading = heading !== null && !text.includes('\n') && text.trim() !== '';
  const mark = isHeading ? `${'#'.repeat(Math.min(heading, SMALLEST))} ` : prefix.replace('• ', '- ');
  return mark + escapeLines(text);
}

/** Marks of two links that stand side by side are not to be read as one. */
function joinRuns(before: string, after: string): string {
  return /[`*_~]$/.test(before) && /^[`*_~]/.test(after)
    ? `${before}${ZERO_WIDTH_SPACE}${after}`
    : before + after;
}

type Run = ReturnType<typeof groupByLink>[number];

/** In brackets no preview is shown. Discord makes no link of a text with an address in it, or with other brackets. */
function renderLink({ link, spans }: Run): string {
  const inner = renderSpans(spans);
  if (link === null) return inner;
  const text = spans.map((span) => span.text).join('');
  if (text === link || text.trim() === '') return `<${link}>`;
  if (/:\/\/|[[\]\n]/.test(text)) return `${inner} (<${link}>)`;
  return `[${inner}](<${link}>)`;
}

type MarkStyle = 'strike' | 'underline' | 'bold' | 'italic';

/** From the outermost inwards: each kind of marks can stand in the ones before it. */
const STYLE_MARKS: readonly (readonly [MarkStyle, string])[] = [
  ['strike', '~~'],
  ['underline', '__'],
  ['bold', '**'],
  ['italic', '*'],
];

/** Takes no room, and keeps marks apart that would be read as others. */
const ZERO_WIDTH_SPACE = '\u200b';

/** Runs of letters with their looks: marks are opened and closed as seldom as that can be. */
function renderSpans(spans: readonly Span[]): string {
  let written = '';
  let open: readonly MarkStyle[] = [];
  const turnTo = (wanted: readonly MarkStyle[]) => {
    const kept = open.findIndex((look, index) => wanted[index] !== look);
    const same = kept < 0 ? open.length : kept;
    const closing = open.slice(same).toReversed().map(styleMark).join('');
    const opening = wanted.slice(same).map(styleMark).join('');
    if (closing !== '' && written.endsWith(closing.slice(0, 1))) written += ZERO_WIDTH_SPACE;
    written += closing + (closing !== '' && opening !== '' ? ZERO_WIDTH_SPACE : '') + opening;
    open = wanted;
  };
  for (const { text, style } of spans) {
    // Marks are read as such only next to letters: white space stays outside.
    const { before, inner, after } = splitMargins(text);
    if (inner === '') {
      turnTo([]);
      written += text;
      continue;
    }
    const code = style.code === true ? renderInlineCode(inner) : null;
    // Discord looks for the end of other marks within code too.
    const wanted = code === null ? spanStyles(style) : [];
    if (before !== '') turnTo([]);
    written += before;
    if (wanted.join() !== open.join()) turnTo(wanted);
    if (code !== null && written.endsWith('`')) written += ZERO_WIDTH_SPACE;
    written += code ?? escapeMarks(inner);
    if (after !== '') turnTo([]);
    written += after;
  }
  turnTo([]);
  return written;
}

function spanStyles(style: Style): readonly MarkStyle[] {
  return STYLE_MARKS.flatMap(([look]) => (style[look] === true ? [look] : []));
}

function styleMark(look: MarkStyle): string {
  return STYLE_MARKS.find(([name]) => name === look)?.[1] ?? '';
}

/** What would format, link, ping or hide something by accident. */
function escapeMarks(text: string): string {
  return text.replaceAll(/[\\*_~`|[\]<]|@(?=everyone|here)|:(?=\/\/)/g, '\\$&');
}

/** What means something at the beginning of a line only: headings, quotations, lists and small print. */
function escapeLines(text: string): string {
  return text
    .replaceAll(/^([^\S\n\r\u2028\u2029]*)(#{1,3}(?=\s)|>(?:>>)?(?=\s)|-(?=#?\s)|\+(?=\s))/gm, '$1\\$2')
    .replaceAll(/^([^\S\n\r\u2028\u2029]*\d+)(?=[.)]\s)/gm, '$1\\');
}

/** Takes no room, and keeps apart what would be read as one. */
const CODE_JOINER = '\u200b';

/** A fence within the code would end it. */
function renderCodeBlock({ language, text }: CodeBlock): string {
  const name = language !== null && /^[\w+#.-]{1,32}$/.test(language) ? language : '';
  const inner = text.replaceAll('```', `\`\`${CODE_JOINER}\``);
  return `\`\`\`${name}\n${inner}\n\`\`\``;
}

/** Within a line. Null for what no number of marks can hold. */
function renderInlineCode(text: string): string | null {
  const line = text.replaceAll('\n', ' ');
  if (line.trim() === '' || line.includes('``')) return null;
  return line.includes('`') ? `\`\` ${line} \`\`` : `\`${line}\``;
}
