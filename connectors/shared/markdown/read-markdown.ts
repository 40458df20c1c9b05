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
import { escapeCrowded } from '../../../core/base/text.ts';
import type { Reply } from '../../../core/contract/outbound.ts';
import { parseWebLink } from '../http.ts';
import type { Block, CodeBlock, Span, Table, TextBlock } from './blocks.ts';
import { type Definitions, parseSpans } from './read-spans.ts';

/** Parses a reply: its text, followed by its sources. */
export function parseReply(
  { text, sources }: Pick<Reply, 'text' | 'sources'>,
  tableColumns: number,
): readonly Block[] {
  return [...parseMarkdown(text, { tableColumns }), ...sourceBlocks(sources)];
}

interface MarkdownContext {
  readonly definitions: Definitions;
  readonly tableColumns: number;
  readonly quoted: boolean;
  readonly indent: string;
}

const STEP = '  ';

/** Parses Markdown into blocks in reading order. Tables wider than `tableColumns` characters become lines. */
export function parseMarkdown(
  markdown: string,
  { tableColumns }: { readonly tableColumns: number },
): readonly Block[] {
  // For a short answer, the parser spends most of its time on its own set-up.
  if (isPlainText(markdown)) return [paragraph(markdown)];
  try {
    const root = fromMarkdown(escapeCrowded(markdown), {
      extensions: [gfm()],
      mdastExtensions: [gfmFromMarkdown()],
    });
    const definitions = new Map(findDefinitions(root).map((node) => [node.identifier, node]));
    return parseNodes(root.children, { definitions, tableColumns, quoted: false, indent: '' });
  } catch (error) {
    // The parser recurses into nested markup; thousands of levels overflow the stack.
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

function findDefinitions(node: Root | RootContent): readonly Definition[] {
  if (node.type === 'definition') return [node];
  return 'children' in node ? node.children.flatMap(findDefinitions) : [];
}

function parseNodes(nodes: readonly RootContent[], context: MarkdownContext): readonly Block[] {
  return nodes.flatMap((node) => parseNode(node, context));
}

function parseNode(node: RootContent, context: MarkdownContext): readonly Block[] {
  const { definitions, quoted, indent } = context;
  const text = (content: Pick<TextBlock, 'spans'> & Partial<TextBlock>): readonly Block[] => [
    { kind: 'text', heading: null, prefix: indent, quoted, tight: false, ...content },
  ];
  switch (node.type) {
    case 'paragraph':
      return text({ spans: parseSpans(node.children, {}, definitions) });
    case 'heading':
      return text({ spans: parseSpans(node.children, {}, definitions), heading: node.depth });
    case 'blockquote':
      return parseNodes(node.children, { ...context, quoted: true });
    case 'list':
      return parseList(node, context);
    case 'code':
      return [{ kind: 'code', language: node.lang || null, text: node.value, quoted, tight: false }];
    case 'table':
      return parseTable(node, context);
    case 'footnoteDefinition':
      return withListMarker(parseNodes(node.children, context), `[${node.identifier}] `, context);
    case 'thematicBreak':
      return text({ spans: [{ text: '———', style: {} }] });
    case 'html':
      return text({ spans: [{ text: node.value, style: {} }] });
    default:
      return [];
  }
}

function parseList(list: List, context: MarkdownContext): readonly Block[] {
  return list.children.flatMap((item, index) => {
    const content: readonly (BlockContent | DefinitionContent)[] = item.children;
    const blocks = parseNodes(content, { ...context, indent: context.indent + STEP });
    const marked = withListMarker(blocks, context.indent + listMarker(item, list, index), context);
    const follows = index > 0 && list.spread !== true;
    return marked.map((block, place) => ({ ...block, tight: place === 0 ? follows : isTight(block) }));
  });
}

/** Within a list item, only code and quotations have an empty line before them. */
function isTight(block: Block): boolean {
  return block.kind === 'text' && !block.quoted;
}

function listMarker(item: ListItem, list: List, index: number): string {
  if (typeof item.checked === 'boolean') return item.checked ? '☑ ' : '☐ ';
  return list.ordered === true ? `${(list.start ?? 1) + index}. ` : '• ';
}

/** Puts the marker before the first line, or on a line of its own if the first block is not text. */
function withListMarker(
  blocks: readonly Block[],
  prefix: string,
  { quoted }: MarkdownContext,
): readonly Block[] {
  const [first, ...others] = blocks;
  if (first?.kind === 'text') return [{ ...first, prefix: prefix + first.prefix.trimStart() }, ...others];
  const mark: Block = { ...paragraph(''), prefix, quoted, spans: [] };
  return [mark, ...blocks];
}

/**
 * Letters, digits and the punctuation of ordinary sentences, beginning with a letter: nothing that Markdown or autolinks
 * give a meaning to. No line breaks, and no spaces that Markdown removes.
 */
const PLAIN = /^\p{L}(?:[\p{L}\p{M}\p{N},;.?'’"“”«»()–—%€£¥-]| (?! |$))*$/u;
const LINK = /www\./i;

/** Whether a Markdown text is a single paragraph without markup. False if in doubt. */
export function isPlainText(markdown: string): boolean {
  return PLAIN.test(markdown) && !LINK.test(markdown);
}

interface TableContext {
  readonly definitions: Definitions;
  readonly tableColumns: number;
  readonly quoted: boolean;
}

/** Returns a narrow table as aligned monospaced text, otherwise a line for each row with labelled cells. */
function parseTable(node: MarkdownTable, context: TableContext): readonly Block[] {
  const rows = node.children.map((row) =>
    row.children.map((cell: TableCell) => parseSpans(cell.children, {}, context.definitions)),
  );
  const cells = rows.map((row) => row.map(cellText));
  const widths =
    cells[0]?.map((_, column) => Math.max(...cells.map((row) => stringWidth(row[column] ?? '')))) ?? [];
  const width = widths.reduce((sum, one) => sum + one, 3 * (widths.length - 1));
  const [header = [], ...below] = rows;
  const table = { align: header.map((_, column) => node.align?.[column] ?? null), header, rows: below };
  const hasLinks = rows.flat(2).some(({ style }) => style.link !== undefined);
  return width <= context.tableColumns && !hasLinks
    ? [{ ...alignedTable(cells, widths, context), table }]
    : tableAsLines(table, context);
}

function alignedTable(
  cells: readonly (readonly string[])[],
  widths: readonly number[],
  { quoted }: TableContext,
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

/** `padEnd` counts UTF-16 code units, not columns. */
function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - stringWidth(text)));
}

function tableAsLines(table: Table, { quoted }: TableContext): readonly Block[] {
  return table.rows.map((row, index) => ({
    kind: 'text',
    heading: null,
    prefix: '• ',
    quoted,
    tight: index > 0,
    spans: row.flatMap((cell, column) => labelledCell(cell, column, table.header[column] ?? [])),
    row: { table, index },
  }));
}

function labelledCell(cell: readonly Span[], column: number, name: readonly Span[]): readonly Span[] {
  if (cell.length === 0) return [];
  if (column === 0) return cell.map(({ text, style }) => ({ text, style: { ...style, bold: true } }));
  const label = cellText(name);
  return [{ text: label === '' ? '; ' : `; ${label}: `, style: {} }, ...cell];
}

function cellText(spans: readonly Span[]): string {
  return spans
    .map(({ text }) => text)
    .join('')
    .replaceAll(/\s+/g, ' ');
}

const MAX_SOURCES = 3;

/** Returns the sources of an answer, a line each. The emoji needs no translation. */
function sourceBlocks(sources: Reply['sources']): readonly Block[] {
  return sources.slice(0, MAX_SOURCES).map((source, index) => {
    const span = sourceSpan(source);
    const prefix = span.style.link === undefined ? '📄 ' : '🔗 ';
    return { kind: 'text', heading: null, prefix, quoted: false, tight: index > 0, spans: [span] };
  });
}

function sourceSpan({ title, url }: Reply['sources'][number]): Span {
  const link = url === null ? null : parseWebLink(url);
  const text = title.trim().replaceAll(/\s+/g, ' ');
  if (link === null) return { text: text || '…', style: {} };
  return { text: text || link, style: { link } };
}
