import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import type { ConversationRef } from '../../core/contract/account.ts';
import type { OutboundPart, Reply } from '../../core/contract/outbound.ts';
import { type Block, linkRuns, type Span, type Style, type TextBlock } from '../shared/markdown/blocks.ts';
import { readMarkdown } from '../shared/markdown/read-markdown.ts';
import { splitBlocks, splitMargins } from '../shared/markdown/split-blocks.ts';
import { plainText } from '../shared/markdown/write-blocks.ts';
import { lineOf, neutral, type Part, shownSources } from './blocks.ts';
import { MARKDOWN_CHARS } from './manifest.ts';

/** Slack sends nothing that is empty. */
const NOTHING = '…';

/** One message of Slack, for almost every answer; several where it is longer than one may be. */
export function render(reply: Reply, _to: ConversationRef): readonly OutboundPart[] {
  const sources = shownSources(reply.sources);
  const room = MARKDOWN_CHARS - sources.map(lineOf).join('\n').length;
  const texts = split(reply.text, room);
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

function split(text: string, room: number): readonly Pick<Part, 'markdown' | 'text'>[] {
  const blocks = readMarkdown(text, { tableColumns: TABLE_COLUMNS });
  const plain = plainText(blocks).trim();
  if (plain === '') return [{ markdown: NOTHING, text: NOTHING }];
  const whole = slackMarkdown(text);
  if (whole.length <= room) return [{ markdown: whole, text: plain }];
  const written = (part: readonly Block[]) => neutral(writeMarkdown(part));
  const parts = splitBlocks(blocks, (part) => written(part).length <= room);
  return parts.map((part) => ({ markdown: written(part), text: plainText(part) }));
}

/** What a window of Slack shows of code without breaking its lines. */
const TABLE_COLUMNS = 60;

/**
 * Markdown as Slack takes it: almost as it is. Slack's own shows no tables, so those are set in letters of one width, or
 * as lines where they are wide.
 */
export function slackMarkdown(markdown: string): string {
  let done = 0;
  const pieces = tablesIn(markdown).flatMap(([start, end]) => {
    const before = markdown.slice(done, start);
    done = end;
    return [before, writeMarkdown(readMarkdown(markdown.slice(start, end), { tableColumns: TABLE_COLUMNS }))];
  });
  return neutral([...pieces, markdown.slice(done)].join(''));
}

function tablesIn(markdown: string): readonly (readonly [number, number])[] {
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
    // As in readMarkdown: nothing that is nested so deep is a table of ours.
    if (error instanceof RangeError) return [];
    throw error;
  }
}

/** Blocks as Markdown again. */
function writeMarkdown(blocks: readonly Block[]): string {
  return blocks.map((block, index) => separator(block, index) + quoted(block, written(block))).join('');
}

function separator({ tight }: Block, index: number): string {
  if (index === 0) return '';
  return tight ? '\n' : '\n\n';
}

function quoted(block: Block, text: string): string {
  return block.quoted ? text.replaceAll(/^/gm, '> ') : text;
}

function written(block: Block): string {
  if (block.kind === 'text') return writeText(block);
  const fence = '`'.repeat(Math.max(3, longestRun(block.text) + 1));
  return `${fence}${block.language?.replaceAll(/[`\s]/g, '') ?? ''}\n${block.text}\n${fence}`;
}

function writeText({ prefix, heading, spans }: TextBlock): string {
  const mark = heading === null ? '' : `${'#'.repeat(heading)} `;
  const text = linkRuns(spans).map(({ link, spans: run }) => {
    const inner = run.map(writeSpan).join('');
    return link === null ? inner : `[${inner}](${link.replaceAll('(', '%28').replaceAll(')', '%29')})`;
  });
  const line = text.join('');
  return mark + prefix.replace('• ', '- ') + (heading === null ? line : line.replaceAll('\n', ' '));
}

/** White space at an end of what is set apart would make its marks letters. */
function writeSpan({ text, style }: Span): string {
  const { before, inner, after } = splitMargins(text);
  if (inner === '') return text;
  return before + (style.code === true ? writeCode(inner) : decorated(escapedText(inner), style)) + after;
}

function writeCode(text: string): string {
  const fence = '`'.repeat(longestRun(text) + 1);
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${space}${text.replaceAll('\n', ' ')}${space}${fence}`;
}

function decorated(text: string, { bold, italic, strike }: Style): string {
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
