import type {
  BlockContent,
  Definition,
  DefinitionContent,
  List,
  ListItem,
  Table as MarkdownTable,
  Root,
  RootContent,
  TableCell,
} from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import stringWidth from 'string-width';
import type { Reply } from '../../../core/contract/outbound.ts';
import { escapeCrowded } from '../../../core/text.ts';
import { webLink } from '../http.ts';
import type { Block, CodeBlock, Span, Table, TextBlock } from './blocks.ts';
import { type Definitions, readSpans } from './read-spans.ts';

/** All that a reply says: its words, and below them where these are from. */
export function replyBlocks(
  { text, sources }: Pick<Reply, 'text' | 'sources'>,
  tableColumns: number,
): readonly Block[] {
  return [...readMarkdown(text, { tableColumns }), ...sourceBlocks(sources)];
}

interface ReadMarkdownContext {
  readonly definitions: Definitions;
  readonly tableColumns: number;
  readonly quoted: boolean;
  readonly indent: string;
}

const STEP = '  ';

/** Markdown as blocks in reading order. Tables that are wider than `tableColumns` letters become lines. */
export function readMarkdown(
  markdown: string,
  { tableColumns }: { readonly tableColumns: number },
): readonly Block[] {
  // Most of what a parser does for a short answer is to put itself together.
  if (isPlain(markdown)) return [paragraph(markdown)];
  try {
    const root = fromMarkdown(escapeCrowded(markdown), {
      extensions: [gfm()],
      mdastExtensions: [gfmFromMarkdown()],
    });
    const definitions = new Map(definitionsOf(root).map((node) => [node.identifier, node]));
    return readAll(root.children, { definitions, tableColumns, quoted: false, indent: '' });
  } catch (error) {
    // The parser calls itself for what is nested: thousands of levels are more than it has room for.
    if (error instanceof RangeError) return [paragraph(markdown)];
    throw error;
  }
}

function paragraph(text: string): TextBlock {
  return {
    kind: 'text',
    heading: null,
    prefix: '',
    quoted: false,
    tight: false,
    spans: [{ text, style: {} }],
  };
}

function definitionsOf(node: Root | RootContent): readonly Definition[] {
  if (node.type === 'definition') return [node];
  return 'children' in node ? node.children.flatMap(definitionsOf) : [];
}

function readAll(nodes: readonly RootContent[], context: ReadMarkdownContext): readonly Block[] {
  return nodes.flatMap((node) => readNode(node, context));
}

function readNode(node: RootContent, context: ReadMarkdownContext): readonly Block[] {
  const { definitions, quoted, indent } = context;
  const text = (content: Pick<TextBlock, 'spans'> & Partial<TextBlock>): readonly Block[] => [
    { kind: 'text', heading: null, prefix: indent, quoted, tight: false, ...content },
  ];
  switch (node.type) {
    case 'paragraph':
      return text({ spans: readSpans(node.children, {}, definitions) });
    case 'heading':
      return text({ spans: readSpans(node.children, {}, definitions), heading: node.depth });
    case 'blockquote':
      return readAll(node.children, { ...context, quoted: true });
    case 'list':
      return readList(node, context);
    case 'code':
      return [{ kind: 'code', language: node.lang || null, text: node.value, quoted, tight: false }];
    case 'table':
      return readTable(node, context);
    case 'footnoteDefinition':
      return withMark(readAll(node.children, context), `[${node.identifier}] `, context);
    case 'thematicBreak':
      return text({ spans: [{ text: '———', style: {} }] });
    case 'html':
      return text({ spans: [{ text: node.value, style: {} }] });
    default:
      return [];
  }
}

function readList(list: List, context: ReadMarkdownContext): readonly Block[] {
  return list.children.flatMap((item, index) => {
    const content: readonly (BlockContent | DefinitionContent)[] = item.children;
    const blocks = readAll(content, { ...context, indent: context.indent + STEP });
    const marked = withMark(blocks, context.indent + markOf(item, list, index), context);
    const follows = index > 0 && list.spread !== true;
    return marked.map((block, place) => ({ ...block, tight: place === 0 ? follows : isTight(block) }));
  });
}

/** Within an item, only code and what was set apart in it stands apart. */
function isTight(block: Block): boolean {
  return block.kind === 'text' && !block.quoted;
}

function markOf(item: ListItem, list: List, index: number): string {
  if (typeof item.checked === 'boolean') return item.checked ? '☑ ' : '☐ ';
  return list.ordered === true ? `${(list.start ?? 1) + index}. ` : '• ';
}

/** Puts a mark before the first line, or on a line of its own where the first is none. */
function withMark(
  blocks: readonly Block[],
  prefix: string,
  { quoted }: ReadMarkdownContext,
): readonly Block[] {
  const [first, ...others] = blocks;
  if (first?.kind === 'text') return [{ ...first, prefix: prefix + first.prefix.trimStart() }, ...others];
  const mark: Block = { ...paragraph(''), prefix, quoted, spans: [] };
  return [mark, ...blocks];
}

/**
 * Letters, digits and the marks of ordinary sentences, from a letter on: nothing that Markdown or its links take for more
 * than it is. No line breaks, and no spaces that Markdown would take away.
 */
const PLAIN = /^\p{L}(?:[\p{L}\p{M}\p{N},;.?'’"“”«»()–—%€£¥-]| (?! |$))*$/u;
const LINK = /www\./i;

/** Whether a Markdown text is one paragraph that reads as it is written; where in doubt, it is not. */
export function isPlain(markdown: string): boolean {
  return PLAIN.test(markdown) && !LINK.test(markdown);
}

interface ReadTableContext {
  readonly definitions: Definitions;
  readonly tableColumns: number;
  readonly quoted: boolean;
}

/** As letters of one width in aligned columns where it is narrow; otherwise a line for each row, that names its columns. */
function readTable(node: MarkdownTable, context: ReadTableContext): readonly Block[] {
  const rows = node.children.map((row) =>
    row.children.map((cell: TableCell) => readSpans(cell.children, {}, context.definitions)),
  );
  const cells = rows.map((row) => row.map(textOf));
  const widths =
    cells[0]?.map((_, column) => Math.max(...cells.map((row) => stringWidth(row[column] ?? '')))) ?? [];
  const width = widths.reduce((sum, one) => sum + one, 3 * (widths.length - 1));
  const [header = [], ...below] = rows;
  const table = { align: header.map((_, column) => node.align?.[column] ?? null), header, rows: below };
  const hasLinks = rows.flat(2).some(({ style }) => style.link !== undefined);
  return width <= context.tableColumns && !hasLinks
    ? [{ ...aligned(cells, widths, context), table }]
    : asLines(table, context);
}

function aligned(
  cells: readonly (readonly string[])[],
  widths: readonly number[],
  { quoted }: ReadTableContext,
): CodeBlock {
  const line = (row: readonly string[]) =>
    widths
      .map((width, column) => padded(row[column] ?? '', width))
      .join(' | ')
      .trimEnd();
  const [header = [], ...rows] = cells;
  const rule = widths.map((width) => '-'.repeat(width)).join('-+-');
  const text = [line(header), rule, ...rows.map(line)].join('\n');
  return { kind: 'code', language: null, text, quoted, tight: false };
}

/** `padEnd` counts halves of characters, not columns. */
function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - stringWidth(text)));
}

function asLines(table: Table, { quoted }: ReadTableContext): readonly Block[] {
  return table.rows.map((row, index) => ({
    kind: 'text',
    heading: null,
    prefix: '• ',
    quoted,
    tight: index > 0,
    spans: row.flatMap((cell, column) => cellOfLine(cell, column, table.header[column] ?? [])),
    row: { table, index },
  }));
}

function cellOfLine(cell: readonly Span[], column: number, name: readonly Span[]): readonly Span[] {
  if (cell.length === 0) return [];
  if (column === 0) return cell.map(({ text, style }) => ({ text, style: { ...style, bold: true } }));
  const label = textOf(name);
  return [{ text: label === '' ? '; ' : `; ${label}: `, style: {} }, ...cell];
}

function textOf(spans: readonly Span[]): string {
  return spans
    .map(({ text }) => text)
    .join('')
    .replaceAll(/\s+/g, ' ');
}

const MOST = 3;

/** Where an answer is from, a line each; the sign says so in every language. */
function sourceBlocks(sources: Reply['sources']): readonly Block[] {
  return sources.slice(0, MOST).map((source, index) => {
    const span = titled(source);
    const prefix = span.style.link === undefined ? '📄 ' : '🔗 ';
    return { kind: 'text', heading: null, prefix, quoted: false, tight: index > 0, spans: [span] };
  });
}

function titled({ title, url }: Reply['sources'][number]): Span {
  const link = url === null ? null : webLink(url);
  const text = title.trim().replaceAll(/\s+/g, ' ');
  if (link === null) return { text: text || '…', style: {} };
  return { text: text || link, style: { link } };
}
