import { z } from 'zod';
import type { ConversationRef } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { OutboundPart, Reply } from '../../core/contract/outbound.ts';
import {
  type Block,
  type CodeBlock,
  linkRuns,
  type Span,
  type Style,
  type TextBlock,
} from '../shared/markdown/blocks.ts';
import { replyBlocks } from '../shared/markdown/read-markdown.ts';
import { splitBlocks, splitMargins } from '../shared/markdown/split-blocks.ts';
import { lenient } from '../shared/payload.ts';
import { type Address, addressOf, readMessageId } from './identifiers.ts';
import { waitingCommand } from './interactions.ts';
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

const schema = z.object({
  text: z.string(),
  /** What can be pressed under it. */
  offers: z.array(z.enum(['feedback', 'human'])),
  /** Of the visitor: what can be pressed is named in it. */
  language: lenient(z.string()),
  /** The message that it answers, by a reply. */
  replyTo: z.string().nullable(),
  /** The command that it answers. */
  interaction: lenient(waitingCommand),
  /** The first part takes the place of "thinking". */
  isFirst: z.boolean(),
  /** A person's word never takes the place of an answer that is there already. */
  author: z.enum(['bot', 'agent']),
});

export type Part = z.infer<typeof schema>;

export function partOf({ content }: OutboundPart): Part {
  const read = schema.safeParse(content);
  if (read.success) return read.data;
  throw new ConnectorError('This is not a message for Discord.', { advice: { retry: 'never' } });
}

/** Discord knows three sizes of headings. */
const SMALLEST = 3;

/** Blocks in Discord's own Markdown. */
export function writeMarkdown(blocks: readonly Block[]): string {
  return blocks.map((block, index) => separator(block, index) + written(block)).join('');
}

function separator(block: Block, index: number): string {
  if (index === 0) return '';
  return block.tight || block.kind === 'code' ? '\n' : '\n\n';
}

/** Code stands outside of a quotation, whose marks would be part of it. */
function written(block: Block): string {
  if (block.kind === 'code') return writeCode(block);
  const text = writeText(block);
  return block.quoted ? text.replaceAll(/^/gm, '> ') : text;
}

function writeText({ prefix, heading, spans }: TextBlock): string {
  const text = linkRuns(spans).map(writeLink).reduce(joined, '');
  // What is written in several lines is no heading after the first one.
  const isHeading = heading !== null && !text.includes('\n') && text.trim() !== '';
  const mark = isHeading ? `${'#'.repeat(Math.min(heading, SMALLEST))} ` : prefix.replace('• ', '- ');
  return mark + escapeLines(text);
}

/** Marks of two links that stand side by side are not to be read as one. */
function joined(before: string, after: string): string {
  return /[`*_~]$/.test(before) && /^[`*_~]/.test(after) ? `${before}${APART}${after}` : before + after;
}

type Run = ReturnType<typeof linkRuns>[number];

/** In brackets no preview is shown. Discord makes no link of a text with an address in it, or with other brackets. */
function writeLink({ link, spans }: Run): string {
  const inner = writeSpans(spans);
  if (link === null) return inner;
  const text = spans.map((span) => span.text).join('');
  if (text === link || text.trim() === '') return `<${link}>`;
  if (/:\/\/|[[\]\n]/.test(text)) return `${inner} (<${link}>)`;
  return `[${inner}](<${link}>)`;
}

type Look = 'strike' | 'underline' | 'bold' | 'italic';

/** From the outermost inwards: each kind of marks can stand in the ones before it. */
const LOOKS: readonly (readonly [Look, string])[] = [
  ['strike', '~~'],
  ['underline', '__'],
  ['bold', '**'],
  ['italic', '*'],
];

/** Takes no room, and keeps marks apart that would be read as others. */
const APART = '\u200b';

/** Runs of letters with their looks: marks are opened and closed as seldom as that can be. */
function writeSpans(spans: readonly Span[]): string {
  let written = '';
  let open: readonly Look[] = [];
  const turnTo = (wanted: readonly Look[]) => {
    const kept = open.findIndex((look, index) => wanted[index] !== look);
    const same = kept < 0 ? open.length : kept;
    const closing = open.slice(same).toReversed().map(markOf).join('');
    const opening = wanted.slice(same).map(markOf).join('');
    if (closing !== '' && written.endsWith(closing.slice(0, 1))) written += APART;
    written += closing + (closing !== '' && opening !== '' ? APART : '') + opening;
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
    const code = style.code === true ? writeInlineCode(inner) : null;
    // Discord looks for the end of other marks within code too.
    const wanted = code === null ? looksOf(style) : [];
    if (before !== '') turnTo([]);
    written += before;
    if (wanted.join() !== open.join()) turnTo(wanted);
    if (code !== null && written.endsWith('`')) written += APART;
    written += code ?? escapeMarks(inner);
    if (after !== '') turnTo([]);
    written += after;
  }
  turnTo([]);
  return written;
}

function looksOf(style: Style): readonly Look[] {
  return LOOKS.flatMap(([look]) => (style[look] === true ? [look] : []));
}

function markOf(look: Look): string {
  return LOOKS.find(([name]) => name === look)?.[1] ?? '';
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
const JOINER = '\u200b';

/** A fence within the code would end it. */
function writeCode({ language, text }: CodeBlock): string {
  const name = language !== null && /^[\w+#.-]{1,32}$/.test(language) ? language : '';
  const inner = text.replaceAll('```', `\`\`${JOINER}\``);
  return `\`\`\`${name}\n${inner}\n\`\`\``;
}

/** Within a line. Null for what no number of marks can hold. */
function writeInlineCode(text: string): string | null {
  const line = text.replaceAll('\n', ' ');
  if (line.trim() === '' || line.includes('``')) return null;
  return line.includes('`') ? `\`\` ${line} \`\`` : `\`${line}\``;
}
