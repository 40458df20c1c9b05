import type { BlockContent, Definition, DefinitionContent, List, ListItem, Root, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { escapeCrowded } from '../../../core/text.ts';
import type { Block, TextBlock } from './block.ts';
import { isPlain } from './is-plain.ts';
import { type Definitions, readSpans } from './read-spans.ts';
import { readTable } from './read-table.ts';

interface Context {
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

function readAll(nodes: readonly RootContent[], context: Context): readonly Block[] {
  return nodes.flatMap((node) => readNode(node, context));
}

function readNode(node: RootContent, context: Context): readonly Block[] {
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

function readList(list: List, context: Context): readonly Block[] {
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
function withMark(blocks: readonly Block[], prefix: string, { quoted }: Context): readonly Block[] {
  const [first, ...others] = blocks;
  if (first?.kind === 'text') return [{ ...first, prefix: prefix + first.prefix.trimStart() }, ...others];
  const mark: Block = { ...paragraph(''), prefix, quoted, spans: [] };
  return [mark, ...blocks];
}
