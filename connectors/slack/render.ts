import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import type { ConversationRef } from '../../core/contract/account.ts';
import type { OutboundPart, Reply } from '../../core/contract/outbound.ts';
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
import { escapeMentions, type Part, sourceLine, visibleSources } from './blocks.ts';
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
