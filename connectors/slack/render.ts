import type { types } from '@slack/bolt';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { z } from 'zod';
import type { ConversationRef } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import { offers as knownOffers, type OutboundPart, type Reply } from '../../core/contract/outbound.ts';
import { parseWebLink } from '../shared/http.ts';
import {
  type Block,
  groupByLink,
  renderPlainText,
  type Span,
  type Style,
  type TextBlock,
} from '../shared/markdown/blocks.ts';
import { parseMarkdown } from '../shared/markdown/read-markdown.ts';
import { splitBlocks, splitMargins } from '../shared/markdown/split-blocks.ts';
import { offerTexts } from '../shared/offer-texts.ts';
import type { Refusal } from './api-client.ts';
import { FEEDBACK_ACTION, PERSON_ACTION } from './identifiers.ts';
import { MAX_MARKDOWN_CHARS } from './manifest.ts';

/** Slack refuses an empty message. */
const EMPTY_MESSAGE = '…';

/** Renders a reply as one Slack message, or as several if it is longer than a message may be. */
export function render(reply: Reply, _to: ConversationRef): readonly OutboundPart[] {
  const sources = visibleSources(reply.sources);
  const room = MAX_MARKDOWN_CHARS - sources.map(sourceLine).join('\n').length;
  const texts = splitText(reply.text, room);
  return texts.map(({ markdown, text }, index): { content: Part } => {
    const isLast = index === texts.length - 1;
    const lines = isLast ? sources.map(({ title, url }) => (url === null ? title : `${title} (${url})`)) : [];
    return {
      content: {
        markdown,
        text: [text, ...lines].join('\n'),
        sources: isLast ? sources : [],
        offers: isLast ? [...reply.offers] : [],
        language: reply.language ?? null,
      },
    };
  });
}

function splitText(text: string, room: number): readonly Pick<Part, 'markdown' | 'text'>[] {
  const blocks = parseMarkdown(text, { tableColumns: TABLE_COLUMNS });
  const plain = renderPlainText(blocks).trim();
  if (plain === '') return [{ markdown: EMPTY_MESSAGE, text: EMPTY_MESSAGE }];
  const whole = renderSlackMarkdown(text);
  if (whole.length <= room) return [{ markdown: whole, text: plain }];
  const toMarkdown = (part: readonly Block[]) => escapeMentions(renderMrkdwn(part));
  const parts = splitBlocks(blocks, (part) => toMarkdown(part).length <= room);
  return parts.map((part) => ({ markdown: toMarkdown(part), text: renderPlainText(part) }));
}

/** The width of a code block that a Slack window shows without breaking lines. */
const TABLE_COLUMNS = 60;

/**
 * Converts Markdown to the dialect of Slack's `markdown` block. Only tables change: Slack does not render them, so narrow
 * tables become code blocks and wide ones become lines.
 */
export function renderSlackMarkdown(markdown: string): string {
  let position = 0;
  const pieces = findTables(markdown).flatMap(([start, end]) => {
    const before = markdown.slice(position, start);
    position = end;
    return [before, renderMrkdwn(parseMarkdown(markdown.slice(start, end), { tableColumns: TABLE_COLUMNS }))];
  });
  return escapeMentions([...pieces, markdown.slice(position)].join(''));
}

function findTables(markdown: string): readonly (readonly [number, number])[] {
  if (!markdown.includes('|')) return [];
  try {
    const { children } = fromMarkdown(markdown, {
      extensions: [gfm()],
      mdastExtensions: [gfmFromMarkdown()],
    });
    return children.flatMap(({ type, position }) => {
      const [start, end] = [position?.start.offset, position?.end.offset];
      return type === 'table' && start !== undefined && end !== undefined ? [[start, end] as const] : [];
    });
  } catch (error) {
    // Text nested deeply enough to exhaust the stack contains no table to convert.
    if (error instanceof RangeError) return [];
    throw error;
  }
}

/** Renders blocks as Markdown. */
function renderMrkdwn(blocks: readonly Block[]): string {
  return blocks.map((block, index) => separator(block, index) + quoted(block, renderBlock(block))).join('');
}

function separator({ tight }: Block, index: number): string {
  if (index === 0) return '';
  return tight ? '\n' : '\n\n';
}

function quoted(block: Block, text: string): string {
  return block.quoted ? text.replaceAll(/^/gm, '> ') : text;
}

function renderBlock(block: Block): string {
  if (block.kind === 'text') return renderTextBlock(block);
  const fence = '`'.repeat(Math.max(3, longestRun(block.text) + 1));
  return `${fence}${block.language?.replaceAll(/[`\s]/g, '') ?? ''}\n${block.text}\n${fence}`;
}

function renderTextBlock({ prefix, heading, spans }: TextBlock): string {
  const mark = heading === null ? '' : `${'#'.repeat(heading)} `;
  const text = groupByLink(spans).map(({ link, spans: run }) => {
    const inner = run.map(renderSpan).join('');
    return link === null ? inner : `[${inner}](${link.replaceAll('(', '%28').replaceAll(')', '%29')})`;
  });
  const line = text.join('');
  return mark + prefix.replace('• ', '- ') + (heading === null ? line : line.replaceAll('\n', ' '));
}

/** White space next to a style's mark would turn the mark into text, so it moves outside the marks. */
function renderSpan({ text, style }: Span): string {
  const { before, inner, after } = splitMargins(text);
  if (inner === '') return text;
  return before + (style.code === true ? renderCode(inner) : withStyle(escapedText(inner), style)) + after;
}

function renderCode(text: string): string {
  const fence = '`'.repeat(longestRun(text) + 1);
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${space}${text.replaceAll('\n', ' ')}${space}${fence}`;
}

function withStyle(text: string, { bold, italic, strike }: Style): string {
  const marks = [italic === true ? '_' : '', bold === true ? '**' : '', strike === true ? '~~' : ''];
  return marks.reduce((inner, mark) => `${mark}${inner}${mark}`, text);
}

function escapedText(text: string): string {
  return text
    .replaceAll(/[\\`*_~[\]<>|]/g, '\\$&')
    .replaceAll(/^([^\S\n\r\u2028\u2029]*)([#+-])(?=\s|$)/gm, '$1\\$2')
    .replaceAll(/^([^\S\n\r\u2028\u2029]*\d+)([.)])(?=\s|$)/gm, '$1\\$2');
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}

const schema = z.object({
  markdown: z.string(),
  /** The same content without markup: for notifications, and the fallback if Slack refuses the blocks. */
  text: z.string(),
  sources: z.array(z.object({ title: z.string(), url: z.string().nullable() })),
  offers: z.array(z.enum(knownOffers)),
  /** ISO 639-1 language of the button labels. Null if unknown. */
  language: z.string().nullable(),
});

export type Part = z.infer<typeof schema>;

export function parsePart({ content }: OutboundPart): Part {
  const parsed = schema.safeParse(content);
  if (parsed.success) return parsed.data;
  throw new ConnectorError('The stored part is not a Slack message.', { advice: { retry: 'never' } });
}

interface Content {
  readonly text: string;
  readonly blocks?: types.KnownBlock[];
}

/** Longer than any text that a notification shows. */
const NOTICE_CHARS = 2_500;
/** Slack truncates longer texts. */
const TEXT_CHARS = 39_000;

/** Returns the representations of a part, best first. Each is the fallback if Slack refuses the one before it. */
export function messageContents(part: Part): readonly Content[] {
  const notice = truncate(part.text, NOTICE_CHARS);
  const looks = part.offers.includes('feedback') ? (['rich', 'basic'] as const) : (['basic'] as const);
  return [
    ...looks.map((look) => ({ text: notice, blocks: buildBlocks(part, look) })),
    { text: truncate(part.text, TEXT_CHARS) },
  ];
}

/** Returns whether Slack refused the blocks of a message and might accept its plain text. */
export function isBlocksRefused({ code }: Refusal): boolean {
  return [
    'invalid_blocks',
    'invalid_blocks_format',
    'invalid_arguments',
    'msg_blocks_too_long',
    'msg_too_long',
  ].includes(code);
}

function truncate(text: string, maxChars: number): string {
  const escaped = escapeControlCharacters(text);
  if (escaped.length <= maxChars) return escaped;
  return `${escaped.slice(0, maxChars).replace(/&\w*$|[\uD800-\uDBFF]$/, '')}…`;
}

/** Not every Slack surface supports every block: `basic` uses only `markdown` and the oldest blocks. */
export type BlockOptions = 'rich' | 'basic';

function buildBlocks(part: Part, look: BlockOptions): types.KnownBlock[] {
  return [{ type: 'markdown', text: part.markdown }, ...buildFooterBlocks(part, look)];
}

/** Returns the blocks below an answer: its sources and its buttons. */
export function buildFooterBlocks(
  { sources, offers, language }: Part,
  look: BlockOptions,
): types.KnownBlock[] {
  const wantsFeedback = offers.includes('feedback');
  const buttons = [
    ...(wantsFeedback && look === 'basic' ? [thumb('up', '👍'), thumb('down', '👎')] : []),
    ...(offers.includes('helped') ? [thumb('up', offerTexts(language).helped)] : []),
    ...(offers.includes('human') ? [button(PERSON_ACTION, offerTexts(language).human, 'human')] : []),
  ];
  return [
    ...(sources.length > 0 ? [sourcesBlock(sources)] : []),
    ...(wantsFeedback && look === 'rich' ? [feedbackBlock(language)] : []),
    ...(buttons.length > 0 ? [{ type: 'actions' as const, elements: buttons }] : []),
  ];
}

function sourcesBlock(sources: Part['sources']): types.ContextBlock {
  return { type: 'context', elements: [{ type: 'mrkdwn', text: sources.map(sourceLine).join('\n') }] };
}

function feedbackBlock(language: Part['language']): types.ContextActionsBlock {
  const { good, bad } = offerTexts(language);
  const choice = (value: 'up' | 'down', text: string, label: string) => ({
    text: { type: 'plain_text' as const, text, emoji: true },
    value,
    accessibility_label: label,
  });
  return {
    type: 'context_actions',
    elements: [
      {
        type: 'feedback_buttons',
        action_id: FEEDBACK_ACTION,
        positive_button: choice('up', '👍', good),
        negative_button: choice('down', '👎', bad),
      },
    ],
  };
}

function thumb(value: 'up' | 'down', label: string): types.Button {
  return button(`${FEEDBACK_ACTION}:${value}`, label, value);
}

function button(action_id: string, text: string, value: string): types.Button {
  return { type: 'button', action_id, text: { type: 'plain_text', text, emoji: true }, value };
}

const MAX_SOURCES = 3;
const TITLE_CHARS = 150;
/** Three lines fit one context element, which takes 3,000 characters. */
const LINE_CHARS = 950;

/** Returns the sources that an answer shows, with titles and addresses shortened to fit a context block. */
export function visibleSources(sources: Reply['sources']): Part['sources'] {
  return sources.slice(0, MAX_SOURCES).map((source) => {
    const url = source.url === null ? null : (parseWebLink(source.url)?.replaceAll('|', '%7C') ?? null);
    const title = source.title.trim().replaceAll(/\s+/g, ' ').replaceAll('|', '¦');
    const shortTitle = [...(title || url || '…')].slice(0, TITLE_CHARS).join('');
    return {
      title: shortTitle,
      url: url !== null && sourceLine({ title: shortTitle, url }).length > LINE_CHARS ? null : url,
    };
  });
}

/** Returns a source in mrkdwn. The emoji stands for the word "source" in every language. */
export function sourceLine({ title, url }: Part['sources'][number]): string {
  return url === null
    ? `📄 ${escapeControlCharacters(title)}`
    : `🔗 <${escapeControlCharacters(url)}|${escapeControlCharacters(title)}>`;
}

/** U+2060 WORD JOINER is invisible and breaks up a sequence that Slack would parse as a mention. */
const JOINER = '\u2060';

/** The start of a link to anything but the web, an address or a number: it could open another program. */
const FOREIGN_SCHEME = /(\]\(\s{0,9}<?(?!(?:https?|mailto|tel):)[a-z][a-z\d+.-]{0,40})(?=:)/giu;

/**
 * Returns Markdown that notifies no person and breaks no link: `<!channel>` and `<@…>` stay text, and a `|` in an address
 * becomes `%7C`. Links to other programs, such as `javascript:`, are none. The escaped prefix of a text is a prefix of the escaped text, which streaming depends on.
 */
export function escapeMentions(markdown: string): string {
  return markdown
    .replaceAll(/<(?=[@#!])/g, `<${JOINER}`)
    .replaceAll(FOREIGN_SCHEME, `$1${JOINER}`)
    .split('\n')
    .map((line) =>
      /^\s*\|/.test(line)
        ? line
        : line.replaceAll(/https?:\/\/[^\s<>]*/g, (link) => link.replaceAll('|', '%7C')),
    )
    .join('\n');
}

/** Escapes the three control characters of mrkdwn. */
function escapeControlCharacters(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
